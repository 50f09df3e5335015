import type { CompanyLocation } from '@pillar/contract/company/company-admin'
import { addressLines } from '@pillar/domain/company/pharmacy'
import { joined } from '@pillar/domain/text/sentence'
import { NO_VALUE } from '@pillar/domain/time/locale'
import { SOURCE_NAMES } from '@pillar/domain/upload/data-source'

/** '12 Sturt Street, Ballarat VIC 3350'. */
export const addressOf = (location: CompanyLocation) => joined(addressLines(location)) || NO_VALUE

/** The name of a pharmacy's dispensing system; the key itself if it is not on the list. */
export const sourceOf = ({ data_source }: Pick<CompanyLocation, 'data_source'>) =>
  data_source === null ? '' : (SOURCE_NAMES[data_source] ?? data_source)
