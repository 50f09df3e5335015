import { contract } from '@pillar/contract'
import type { ClinicalTrial } from '@pillar/contract/trial/trial-admin'
import { counted, isolated } from '@pillar/domain/text/sentence'
import { day } from '@pillar/domain/time/day'
import { formatDate } from '@pillar/domain/time/locale'
import { useRead } from '../../api/client.ts'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { ReadDialog } from '../../kit/dialog/ReadDialog.tsx'
import { DayField, SwitchField } from '../../kit/form/fields.tsx'
import { useCountry } from '../../session/session.ts'
import { todayText } from './trial-values.ts'

/** Switches a trial on or off, with options for what else happens. */
export function StatusDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const read = useRead(contract.clinicalTrial.info, { trial_id: id }, { staleTime: 0 })
  return (
    <ReadDialog title="Clinical trial" read={read} what="the trial" onClose={onClose}>
      {(trial) => <Status trial={trial} onClose={onClose} />}
    </ReadDialog>
  )
}

function Status({ trial, onClose }: { trial: ClinicalTrial; onClose: () => void }) {
  const country = useCountry()
  const { active: was, name, queued_messages: queued, totals } = trial
  const verb = was ? 'Deactivate' : 'Activate'
  const date = (text: string) => formatDate(country, day(text))
  const waiting = counted(queued, 'invitation', 'invitations')
  const notified = `The contacts of the pharmacies with eligible patients (${totals.locations} at the last count) get an email.`
  return (
    <FormDialog
      words={{
        ...{ title: `${verb} ${name}`, button: `${verb}…`, busy: 'Saving...', what: 'this change' },
        done: was ? 'Clinical trial deactivated' : 'Clinical trial activated',
      }}
      call={contract.clinicalTrial.editActiveStatus}
      ask={({ start_date, end_date, notify_pharmacies, cancel_messages }) => ({
        title: 'Confirm your changes',
        consequence: (
          <>
            <p>
              {was
                ? `${isolated(name)} ends at 11:59 pm on ${date(end_date ?? todayText(country))}, in each pharmacy’s local time. No more invitations are sent.`
                : `${isolated(name)} starts on ${date(start_date ?? todayText(country))} and has ${end_date ? `its last day on ${date(end_date)}` : 'no end'}. Eligible patients can be invited.`}
            </p>
            {notify_pharmacies ? <p>{notified}</p> : null}
            {cancel_messages ? <p>{waiting} that wait to be sent will be cancelled.</p> : null}
          </>
        ),
        button: `${verb} ${name}`,
        danger: was,
      })}
      initial={{
        ...{ start_date: was ? '' : todayText(country), end_date: was ? todayText(country) : '' },
        ...{ notify_pharmacies: true, cancel_messages: was },
      }}
      input={({ start_date, end_date, ...rest }) => ({
        ...{ ...rest, trial_id: trial.trial_id, active: !was },
        start_date: start_date || null,
        end_date: end_date || null,
      })}
      onClose={onClose}
    >
      {(f) => (
        <>
          {was ? null : <DayField {...f('start_date', 'Start date')} />}
          <DayField
            {...f('end_date', 'End date')}
            description={was ? 'The last day, until 11:59 pm.' : 'If blank, runs until deactivated.'}
          />
          <SwitchField {...f('notify_pharmacies', 'Notify pharmacies')} description={notified} />
          <SwitchField
            {...f('cancel_messages', 'Cancel messages')}
            description={
              queued === 0
                ? 'No invitations are waiting to be sent.'
                : `${waiting} waiting to be sent will be cancelled. Otherwise they are sent only if the trial is active when they are due.`
            }
          />
        </>
      )}
    </FormDialog>
  )
}
