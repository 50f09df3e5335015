import { contract } from '@pillar/contract'
import { listOf } from '@pillar/domain/text/sentence'
import { useRead } from '../../../api/client.ts'
import { Loaded } from '../../../kit/display/Loaded.tsx'
import type { Chosen } from './campaign-admin.ts'

/** Before campaigns are switched: what it does, and which templates it switches too. */
export function AffectedTemplates({ chosen, active, children }: { chosen: Chosen; active: boolean; children: string }) {
  const read = useRead(contract.campaignAdmin.affected, { ...chosen, active }, { staleTime: 0 })
  return (
    <>
      <p>{children}</p>
      <Loaded read={read} what="the affected templates" rows={2}>
        {({ template_names: names }) =>
          names.length === 0 ? (
            <p className="muted">No template is affected.</p>
          ) : (
            <p>
              Templates that will be {active ? 'activated' : 'deactivated'}: {listOf(names)}.
            </p>
          )
        }
      </Loaded>
    </>
  )
}
