import type { CompanyLocation } from '@pillar/contract/company/company-admin'
import type { Country } from '@pillar/domain/time/locale'
import { SOURCE_NAMES } from '@pillar/domain/upload/data-source'

/** The name of a pharmacy's dispensing system; the key itself if it is not on the list. */
export const sourceOf = ({ data_source }: Pick<CompanyLocation, 'data_source'>) =>
  data_source === null ? '' : (SOURCE_NAMES[data_source] ?? data_source)

/** The register of controlled drugs as a country calls it: only Australia has a Schedule 8 of that meaning. */
export const registerOf = (country: Country) =>
  country === 'AU' ? 'Schedule 8 register' : 'register of controlled drugs'
