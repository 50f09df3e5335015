import { Button } from '@mantine/core'
import type { ClinicalTrial } from '@pillar/contract/trial/trial-admin'
import { counted, listOf } from '@pillar/domain/text/sentence'
import { formatMoney, formatNumber } from '@pillar/domain/time/locale'
import { REBATE_TYPES } from '@pillar/domain/trial/trial'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useHomeCountry } from '../../frame/title.ts'
import { StatCard, StatStrip } from '../../kit/display/figure/StatCard.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import { useCountry } from '../../session/session.ts'
import { ConsentHistory } from './ConsentHistory.tsx'
import styles from './Trial.module.css'
import { ethicsText } from './TrialApprovals.tsx'
import type { Opened } from './TrialDialogs.tsx'
import { TrialFunnel } from './TrialFunnel.tsx'
import { TrialLocations } from './TrialLocations.tsx'

/** The contents of a trial's opened row: rebates owed, how far patients got, and at which pharmacies. */
export function TrialDetails({ trial, open }: { trial: ClinicalTrial; open: (opened: Opened) => void }) {
  const country = useCountry()
  const home = useHomeCountry()
  const [versions, setVersions] = useState(false)
  const { totals, ethics, consent_form_version: version } = trial
  const money = (value: number) => formatMoney(home, value, 2)
  const plural = REBATE_TYPES[trial.rebate_type].toLowerCase()
  const paidFor = (sums: ClinicalTrial['totals']) => {
    const enrol = trial.rebate_type === 'enroll'
    const count = enrol ? sums.total_enrolled - sums.total_unenrolled : sums.total_referred
    const words = count === 1 ? { refer: 'referral', enroll: 'enrolment' }[trial.rebate_type] : plural
    const back =
      enrol && sums.total_unenrolled > 0 ? ` (${formatNumber(country, sums.total_unenrolled)} taken back)` : ''
    return `${formatNumber(country, count)} ${words}${back}`
  }
  const each = trial.rebate_type === 'refer' ? trial.refer_rebate : trial.enroll_rebate
  const ours = trial.rebate_type === 'refer' ? trial.sr_refer_rebate : trial.sr_enroll_rebate
  return (
    <div className={styles.details}>
      <StatStrip paired>
        <StatCard label="Rebates due to pharmacies" value={money(totals.rebate)}>
          <span className="muted">
            {paidFor(totals)}, now {money(each)} each
          </span>
        </StatCard>
        <StatCard label="Rebates due to the platform" value={money(totals.sr_rebate)}>
          <span className="muted">
            {paidFor(totals)}, now {money(ours)} each
          </span>
        </StatCard>
        <StatCard label="Provider" value={<span className={styles.words}>{trial.provider.name}</span>}>
          <span className="muted">
            {counted(trial.queued_messages, 'invitation waits', 'invitations wait')} to be sent
          </span>
        </StatCard>
        <StatCard label="Ethics approval" value={<span className={styles.words}>{ethics?.number ?? 'None yet'}</span>}>
          {ethics ? (
            <span className="muted">{ethicsText(country, ethics)}</span>
          ) : (
            <Button size="xs" onClick={() => open({ dialog: 'ethics', trial })}>
              Record ethics approval
            </Button>
          )}
        </StatCard>
        <StatCard
          label="Consent form"
          value={<span className={styles.words}>{version === null ? 'None yet' : `Version ${version}`}</span>}
        >
          {version === null ? (
            <Button size="xs" onClick={() => open({ dialog: 'consent', trial })}>
              Create consent form
            </Button>
          ) : (
            <Button size="xs" onClick={() => setVersions(true)}>
              See it as a patient
            </Button>
          )}
        </StatCard>
      </StatStrip>
      {trial.not_ready ? <p className="muted">{trial.not_ready}</p> : null}
      {trial.not_cancelled.length > 0 ? (
        <p className={styles.waiting} role="status">
          <Icon of={TriangleAlert} size={16} />
          <span>
            Invitations of {listOf(trial.not_cancelled)} are not cancelled yet. Pillar keeps trying. None of them is
            sent while the trial is inactive.
          </span>
        </p>
      ) : null}
      <TrialFunnel name={trial.name} totals={totals} country={country} />
      <TrialLocations trialId={trial.trial_id} />
      {versions ? <ConsentHistory trial={trial} onClose={() => setVersions(false)} /> : null}
    </div>
  )
}
