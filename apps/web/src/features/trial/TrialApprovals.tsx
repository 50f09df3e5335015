import { Button } from '@mantine/core'
import type { ClinicalTrial } from '@pillar/contract/trial/trial-admin'
import { day } from '@pillar/domain/time/day'
import { type Country, formatDate } from '@pillar/domain/time/locale'
import { useState } from 'react'
import { useCountry } from '../../session/session.ts'
import { ConsentFormDialog } from './ConsentFormDialog.tsx'
import { EthicsDialog } from './EthicsDialog.tsx'
import styles from './Trial.module.css'

/** What a trial needs before it can be activated: its consent form and its ethics approval. */
export function TrialApprovals({ trial }: { trial: ClinicalTrial | null }) {
  const country = useCountry()
  const [opened, open] = useState<'consent' | 'ethics' | null>(null)
  if (!trial) return <p className="muted">Create the trial first, then its consent form and its ethics approval.</p>
  const { consent_form_version: version, ethics } = trial
  return (
    <>
      <div className={styles.line}>
        <span>
          <b>Consent form</b> {version === null ? 'None yet' : `Version ${version}`}
        </span>
        <Button size="xs" onClick={() => open('consent')}>
          {version === null ? 'Create consent form' : 'Edit consent form'}
        </Button>
      </div>
      <div className={styles.line}>
        <span>
          <b>Ethics approval</b> {ethics ? `${ethics.number}, ${ethicsText(country, ethics)}` : 'None yet'}
        </span>
        <Button size="xs" onClick={() => open('ethics')}>
          Record ethics approval
        </Button>
      </div>
      {trial.not_ready ? <p className="muted">{trial.not_ready}</p> : null}
      {opened === 'consent' ? <ConsentFormDialog id={trial.trial_id} onClose={() => open(null)} /> : null}
      {opened === 'ethics' ? <EthicsDialog trial={trial} onClose={() => open(null)} /> : null}
    </>
  )
}

/** Beside its number: 'Harbour HREC, 3 Aug 2026, expires 2 Aug 2027' */
export function ethicsText(country: Country, ethics: NonNullable<ClinicalTrial['ethics']>): string {
  const date = (text: string) => formatDate(country, day(text))
  const expires = ethics.expires_on ? `, expires ${date(ethics.expires_on)}` : ''
  return `${ethics.approving_body}, ${date(ethics.approved_on)}${expires}`
}
