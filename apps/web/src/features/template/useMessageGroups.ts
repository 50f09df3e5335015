import { contract } from '@pillar/contract'
import { useRead } from '../../api/client.ts'

/** Categories for the prompt box, and whether an AI service answers it. Until that is known, nothing is called AI. */
export function useMessageGroups() {
  const { data, error, refetch } = useRead(contract.template.groups, {}, { staleTime: 10 * 60_000 })
  return { groups: data?.groups ?? [], ai: data?.ai ?? false, error, retry: () => void refetch() }
}
