import { contract } from '@pillar/contract'
import { useRead } from '../../api/client.ts'

/** Recruiters and providers that match the typed text. */
export function useRecruiters(term: string) {
  const read = useRead(contract.recruiterProvider.search, { name: term })
  const found = read.data?.data ?? []
  const options = found.map((one) => ({
    value: one.recruiter_provider_id,
    label: one.name,
    note: one.recruiter_or_provider,
  }))
  return { options, read }
}
