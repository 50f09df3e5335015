import { contract } from '@pillar/contract'
import { listOf } from '@pillar/domain/text/sentence'
import { useRead } from '../../../api/client.ts'
import { Loaded } from '../../../kit/display/Loaded.tsx'
import type { Chosen } from './template-admin.ts'

interface AffectedProps {
  chosen: Chosen
  /** The new state; left out, they are changed or deleted. */
  active?: boolean
  children: string
}

/** Shown before templates are changed: what it does, and which campaigns and sequences it affects. */
export function Affected({ chosen, active, children }: AffectedProps) {
  const read = useRead(contract.templateAdmin.affected, { ...chosen, active: active ?? null }, { staleTime: 0 })
  return (
    <>
      <p>{children}</p>
      <Loaded read={read} what="the affected campaigns" rows={2}>
        {({ campaign_names: campaigns, sequence_names: sequences, trial_names: trials }) => (
          <>
            {campaigns.length + sequences.length + trials.length === 0 ? (
              <p className="muted">No campaign or sequence is affected.</p>
            ) : null}
            {campaigns.length > 0 ? <p>Affected campaigns: {listOf(campaigns)}.</p> : null}
            {trials.length > 0 ? <p>Affected clinical trials: {listOf(trials)}.</p> : null}
            {sequences.length > 0 ? <p>Affected sequences: {listOf(sequences)}.</p> : null}
          </>
        )}
      </Loaded>
    </>
  )
}
