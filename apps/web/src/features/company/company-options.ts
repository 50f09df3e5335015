import { contract } from '@pillar/contract'
import { useRead } from '../../api/client.ts'

/** Companies whose name holds the typed text, for a `LookupField`. */
export function useCompanies(term: string) {
  const { data, isFetching, error } = useRead(contract.company.search, { page: 1, name: term }, { keepPrevious: true })
  return { options: (data?.results ?? []).map(({ uuid, name }) => ({ value: uuid, label: name })), isFetching, error }
}
