import { contract } from '@pillar/contract'
import type { ClinicalTrial } from '@pillar/contract/trial/trial-admin'
import { counted } from '@pillar/domain/text/sentence'
import { formatCounted, formatNumber } from '@pillar/domain/time/locale'
import { formatTime, zoneOf } from '@pillar/domain/time/zone'
import { useRead } from '../../api/client.ts'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { Failed, Loading } from '../../kit/display/states.tsx'
import { useCountry } from '../../session/session.ts'
import { costWords } from '../cohort/forecast-words.ts'
import styles from './Trial.module.css'
import { invitedWords, leavingWords } from './trial-counts.ts'

interface InviteDialogProps {
  trial: Pick<ClinicalTrial, 'trial_id' | 'name'>
  onClose: () => void
}

/** How often to ask whether a long count is done. */
const COUNTING_MS = 3_000

/** Counts cannot tell these cases apart. */
const NOBODY =
  'All eligible patients have been invited, or the trial is outside its dates or has no ethics approval in force.'

/** Invites each eligible patient who has not been sent an invitation. First shows how many, who is held back, and the cost. */
export function InviteDialog({ trial, onClose }: InviteDialogProps) {
  const country = useCountry()
  const { trial_id, name } = trial
  const every = (answer?: { counting: boolean }) => (answer?.counting ? COUNTING_MS : false)
  const read = useRead(contract.trialInvite.forecast, { trial_id }, { staleTime: 0, every })
  // Patients counted when the dialog was last open may have been invited since.
  const data = read.isFetchedAfterMount && !read.data?.counting ? read.data : undefined
  const { sms = 0, email = 0, costs = [], held = [], not_ready = '', not_counted = 0 } = data ?? {}
  const all = formatCounted(country, sms + email, 'invitation', 'invitations')
  const blocked = data ? not_ready || (sms + email === 0 ? 'There is nobody to invite now.' : '') : 'Counting…'
  const n = (value: number) => formatNumber(country, value)
  const cost = costWords(country, costs)
  return (
    <FormDialog
      words={{
        ...{ title: `Invite to ${name}`, button: sms + email > 0 ? `Send ${all}…` : 'Invite…', busy: 'Inviting...' },
        ...{ what: 'this invitation', done: `${all} to ${name} will be sent` },
        blocked: () => (read.error ? 'Could not count the patients.' : blocked),
      }}
      call={contract.trialInvite.start}
      ask={() => ({
        title: 'Confirm the invitations',
        consequence: (
          <p>
            {leavingWords(country, { sms, email })} from two minutes from now, within the sending hours of each
            pharmacy. {sms > 0 ? `Texts cost ${cost}. ` : ''}Consent, limits and the trial’s approval are looked at once
            more as each one leaves.
          </p>
        ),
        button: `Send ${all}, ${cost}`,
      })}
      initial={{}}
      input={() => ({ trial_id })}
      onClose={onClose}
    >
      {() =>
        read.error ? (
          <Failed title="Could not count the patients" error={read.error} onRetry={() => void read.refetch()} />
        ) : data ? (
          <div className={styles.forecast}>
            {not_ready ? <p>{not_ready}</p> : null}
            {data.counted_at ? (
              <p>Counted at {formatTime(country, zoneOf(country, null), new Date(data.counted_at))}.</p>
            ) : null}
            {sms + email === 0 ? null : (
              <p>
                {invitedWords(country, { sms, email })}. {sms > 0 ? `Texts cost ${cost}.` : null}
              </p>
            )}
            {not_ready === '' && not_counted > 0 ? (
              <p>
                {counted(not_counted, 'pharmacy is', 'pharmacies are')} left out: the patients there could not be
                counted by the trial’s criteria.
              </p>
            ) : null}
            {held.length > 0 ? (
              <p>Held back, {n(held.reduce((sum, one) => sum + one.count, 0))} in all:</p>
            ) : (
              <p>{sms + email > 0 ? 'Nobody is held back.' : not_ready ? null : NOBODY}</p>
            )}
            <ul>
              {held.map(({ reason, count }) => (
                <li key={reason}>
                  {reason}: {n(count)}
                </li>
              ))}
            </ul>
          </div>
        ) : (
          <Loading words={read.data?.counting ? 'Counting many patients. This may take a few minutes…' : 'Counting…'} />
        )
      }
    </FormDialog>
  )
}
