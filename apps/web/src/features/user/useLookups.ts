import { contract } from '@pillar/contract'
import { useRead } from '../../api/client.ts'

/** Companies that match what is typed, as options of a `LookupField`. */
export function useCompanies(term: string) {
  const { data, isFetching, error } = useRead(contract.company.search, { name: term })
  return { options: (data?.results ?? []).map(({ uuid, name }) => ({ value: uuid, label: name })), isFetching, error }
}

/** Recruiters and providers that match what is typed. */
export function useRecruiters(term: string) {
  const { data, isFetching, error } = useRead(contract.recruiterProvider.search, { name: term })
  const found = data?.data ?? []
  const options = found.map((one) => ({
    value: one.recruiter_provider_id,
    label: one.name,
    note: one.recruiter_or_provider,
  }))
  return { options, isFetching, error }
}
