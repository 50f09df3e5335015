import { contract } from '@pillar/contract'
import { COUNTRIES, COUNTRY_NAMES } from '@pillar/domain/time/locale'
import { useRead } from '../../api/client.ts'

/** Companies whose name contains the typed text, for a `LookupField`. */
export function useCompanies(term: string) {
  const read = useRead(contract.company.search, { page: 1, name: term }, { keepPrevious: true })
  return { options: (read.data?.results ?? []).map(({ uuid, name }) => ({ value: uuid, label: name })), read }
}

export const COUNTRY_OPTIONS = COUNTRIES.map((value) => ({ value, label: COUNTRY_NAMES[value] }))
