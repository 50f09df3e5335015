import { contract } from '@pillar/contract'
import { listOf } from '@pillar/domain/text/sentence'
import { useRead } from '../../../api/client.ts'
import { Failed, Loading } from '../../../kit/display/states.tsx'
import type { Chosen } from './campaign-admin.ts'

/** Before campaigns are switched: what it does, and which templates it switches too. */
export function AffectedTemplates({ chosen, active, children }: { chosen: Chosen; active: boolean; children: string }) {
  const read = useRead(contract.campaignAdmin.affected, { ...chosen, active }, { staleTime: 0 })
  const names = read.data?.template_names ?? []
  return (
    <>
      <p>{children}</p>
      {read.isPending ? (
        <Loading rows={2} />
      ) : read.error ? (
        <Failed title="Could not load the affected templates" error={read.error} onRetry={() => void read.refetch()} />
      ) : names.length === 0 ? (
        <p className="muted">No template is affected.</p>
      ) : (
        <p>
          Templates that will be {active ? 'activated' : 'deactivated'}: {listOf(names)}.
        </p>
      )}
    </>
  )
}
