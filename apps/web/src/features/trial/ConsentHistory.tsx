import { contract } from '@pillar/contract'
import type { ClinicalTrial } from '@pillar/contract/trial/trial-admin'
import { useState } from 'react'
import { useRead } from '../../api/client.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { dayOf } from '../../kit/display/dates.ts'
import { Failed, Loading } from '../../kit/display/states.tsx'
import { SelectField } from '../../kit/form/fields.tsx'
import { useCountry } from '../../session/session.ts'
import { ConsentPreview } from './ConsentPreview.tsx'

/** Every version of a trial's consent form, as patients saw it. */
export function ConsentHistory({ trial, onClose }: { trial: ClinicalTrial; onClose: () => void }) {
  const country = useCountry()
  const read = useRead(contract.trialConsentForm.versions, { trial_id: trial.trial_id })
  const versions = read.data?.versions ?? []
  const [chosen, choose] = useState<number | null>(null)
  const shown = versions.find(({ version }) => version === chosen) ?? versions[0]
  return (
    <Dialog opened title="Versions of the consent form" onClose={onClose}>
      {read.error ? (
        <Failed title="Could not load the versions" error={read.error} onRetry={() => void read.refetch()} />
      ) : !shown ? (
        <Loading words="Loading consent form..." />
      ) : (
        <>
          <SelectField
            name="version"
            label="Version"
            options={versions.map(({ version, created_at, created_by }) => ({
              value: String(version),
              label: `Version ${version}, ${dayOf(country, created_at)}${created_by ? `, ${created_by}` : ''}`,
            }))}
            value={String(shown.version)}
            onChange={(event: { currentTarget: { value: string } }) => choose(Number(event.currentTarget.value))}
          />
          <ConsentPreview text={shown} trial={trial} />
        </>
      )}
    </Dialog>
  )
}
