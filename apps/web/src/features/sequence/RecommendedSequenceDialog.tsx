import { contract } from '@pillar/contract'
import type { AdminSequenceRecommendation as Row } from '@pillar/contract/sequence/sequence-recommendation-admin'
import { recommendedSequenceProblems } from '@pillar/domain/campaign/sequence-draft'
import { send } from '../../api/client.ts'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { creating, editing } from '../../kit/dialog/form-words.ts'
import { SwitchField, TextAreaField, TextField } from '../../kit/form/fields.tsx'
import { LookupField } from '../../kit/form/LookupField.tsx'
import { type FollowUpRow, FollowUpsField } from './FollowUpsField.tsx'
import { useEventOptions, useRecommendedTemplateOptions } from './lookups.ts'

const calls = contract.sequenceRecommendation

const valuesOf = (row: Row | null) => ({
  title: row?.title ?? '',
  description: row?.description ?? '',
  sequence_event_id: row?.sequence_event_id ?? '',
  follow_ups: (row?.templates ?? []).map(
    ({ template_id, template_name, follow_up_order, days_after }): FollowUpRow => ({
      ...{ key: `${follow_up_order}`, follow_up_id: null, template_id, template: template_name, days_after },
    }),
  ),
  marketing_consent: row?.marketing_consent ?? false,
  health_outreach_consent: row?.health_outreach_consent ?? true,
  names: row?.sequence_event_id ? { [row.sequence_event_id]: row.sequence_event ?? '' } : {},
  version: row?.version ?? 0,
})

/** A recommended sequence, or a new one (no row). */
export function RecommendedSequenceDialog({ row, onClose }: { row: Row | null; onClose: () => void }) {
  const id = row?.sequence_recommendation_id ?? ''
  return (
    <FormDialog
      size="M"
      keeps
      words={
        row
          ? editing('recommended sequence', 'Recommended Sequence Edited Successfully')
          : creating('recommended sequence', 'Recommended Sequence Created Successfully')
      }
      call={row ? calls.edit : calls.create}
      ask={row ? 'Sequences that pharmacies made from it stay as they are.' : 'Every pharmacy can start from it.'}
      initial={valuesOf(row)}
      input={({ follow_ups, sequence_event_id, names: _, ...values }) => ({
        ...values,
        id,
        sequence_event_id: sequence_event_id || null,
        template_ids: follow_ups.map((one) => one.template_id),
        days_after: follow_ups.map((one) => one.days_after),
      })}
      check={recommendedSequenceProblems}
      latest={async () => valuesOf(await send(calls.info, { id }))}
      onClose={onClose}
    >
      {(f) => (
        <>
          <TextField {...f('title', 'Title')} required data-autofocus />
          <TextAreaField {...f('description', 'Description')} rows={2} />
          <LookupField
            {...f('sequence_event_id', 'Sequence event')}
            required
            first={row?.sequence_event ?? ''}
            useOptions={useEventOptions}
          />
          <FollowUpsField
            {...(f('follow_ups', 'Templates') as ReturnType<typeof f> & { value: FollowUpRow[]; onChange: () => void })}
            useOptions={useRecommendedTemplateOptions}
          />
          <SwitchField {...f('marketing_consent', 'Marketing consent needed')} />
          <SwitchField {...f('health_outreach_consent', 'Health outreach consent needed')} />
        </>
      )}
    </FormDialog>
  )
}
