import { contract } from '@pillar/contract'
import type { AdminPharmacySequence } from '@pillar/contract/sequence/pharmacy-sequence-read'
import { pharmacySequenceProblems } from '@pillar/domain/campaign/sequence-draft'
import { deactivationWords } from '@pillar/domain/campaign/time-line'
import { type Country, LOCALES } from '@pillar/domain/time/locale'
import { send } from '../../api/client.ts'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import type { Names } from '../../kit/dialog/field-words.ts'
import { editing } from '../../kit/dialog/form-words.ts'
import type { Bind } from '../../kit/dialog/useFormDialog.ts'
import { DayField, MoneyField, SelectField, SwitchField, TextAreaField, TextField } from '../../kit/form/fields.tsx'
import { LookupField } from '../../kit/form/LookupField.tsx'
import { type Amount, amountOf } from '../../shared/amount.ts'
import { useEventOptions, useRecommendationOptions } from './lookups.ts'
import { activationWords, waitingOf } from './sequence-words.ts'

const calls = contract.sequenceAdmin
const METHODS = [
  { value: 'sms', label: 'SMS' },
  { value: 'email', label: 'Email' },
]

export const valuesOf = (row: AdminPharmacySequence | null) => ({
  title: row?.title ?? '',
  description: row?.description ?? '',
  sequence_event_id: row?.sequence_event.event_id ?? '',
  sequence_recommendation_id: row?.sequence_recommendation?.sequence_recommendation_id ?? '',
  preferred_communication_method: row?.preferred_communication_method ?? ('sms' as const),
  budget: (row?.budget ?? '') as Amount,
  start_date: row?.start_date ?? '',
  end_date: row?.end_date ?? '',
  marketing_consent: row?.marketing_consent ?? false,
  health_outreach_consent: row?.health_outreach_consent ?? true,
  names: namesOf(row),
  version: row?.version ?? 0,
})
export type Values = ReturnType<typeof valuesOf>

const namesOf = (row: AdminPharmacySequence | null): Names => {
  const [event, made] = [row?.sequence_event, row?.sequence_recommendation]
  return {
    ...(event ? { [event.event_id]: event.name } : {}),
    ...(made ? { [made.sequence_recommendation_id]: made.title } : {}),
  }
}

/** Fields that may be empty, in the format of the calls. */
export function sent<V extends Values>(all: V) {
  const { budget, start_date, end_date, sequence_recommendation_id, names: _, ...values } = all
  return {
    ...values,
    budget: amountOf(budget),
    start_date: start_date || null,
    end_date: end_date || null,
    sequence_recommendation_id: sequence_recommendation_id || null,
  }
}

const KEPT =
  'Messages already queued keep their text. Patients part-way through keep their follow-ups; dates, budget and consents are checked again when each is due.'

/** What saving does: if it switches the sequence off or on, who and what is waiting at this moment. */
async function consequenceOf(row: AdminPharmacySequence, active: boolean | undefined): Promise<string> {
  if (active === row.active) return KEPT
  if (active) return `${activationWords(row)} ${KEPT}`
  const { sequence_id: id, location_id } = row
  return `${deactivationWords(waitingOf(await send(calls.stats, { id, location_id })))} ${KEPT}`
}

/** A pharmacy sequence's settings, without its follow-ups, which the time line edits. */
export function PharmacySequenceDialog({ row, onClose }: { row: AdminPharmacySequence; onClose: () => void }) {
  const { sequence_id: id, location_id, follow_ups } = row
  const initial = (from: AdminPharmacySequence) => ({ ...valuesOf(from), active: from.active })
  return (
    <FormDialog
      size="M"
      words={editing('sequence', 'Sequence Edited Successfully')}
      call={calls.edit}
      ask={async ({ active }) => ({
        title: `Edit ${row.title}?`,
        consequence: await consequenceOf(row, active),
        button: 'Edit sequence',
      })}
      initial={initial(row)}
      input={(values) => ({ ...sent(values), id, location_id })}
      check={(values) => withoutFollowUps(pharmacySequenceProblems({ ...sent(values), follow_ups }))}
      latest={async () => initial(await send(calls.info, { id }))}
      onClose={() => onClose()}
    >
      {(f) => (
        <>
          <TextField {...f('title', 'Title')} data-autofocus />
          <TextAreaField {...f('description', 'Description')} rows={2} />
          <LookupField
            {...f('sequence_event_id', 'Sequence event')}
            first={row.sequence_event.name}
            useOptions={useEventOptions}
          />
          <Rules f={f} country={row.country} />
          <LookupField
            {...f('sequence_recommendation_id', 'Recommended sequence')}
            description="The recommended sequence it was made from. Changing this does not change the follow-ups."
            first={row.sequence_recommendation?.title ?? ''}
            useOptions={useRecommendationOptions}
          />
          <SwitchField {...f('active', 'Active')} />
        </>
      )}
    </FormDialog>
  )
}

type Found = ReturnType<typeof pharmacySequenceProblems>[number]
const withoutFollowUps = (found: readonly Found[]) =>
  found.flatMap(({ field, words }) => (field === 'follow_ups' ? [] : [{ field, words }]))

/** How a sequence is sent: method, budget in the company's currency, dates and consents. */
export function Rules<V extends Values>({ f, country }: { f: Bind<V>; country: Country }) {
  return (
    <>
      <SelectField {...f('preferred_communication_method', 'Preferred communication method')} options={METHODS} />
      <MoneyField
        {...f('budget', 'Budget')}
        description="For all its messages together. If blank, there is no limit."
        symbol={LOCALES[country].currencySymbol}
      />
      <DayField {...f('start_date', 'Start date')} />
      <DayField {...f('end_date', 'End date')} />
      <SwitchField {...f('marketing_consent', 'Marketing consent needed')} />
      <SwitchField {...f('health_outreach_consent', 'Health outreach consent needed')} />
    </>
  )
}
