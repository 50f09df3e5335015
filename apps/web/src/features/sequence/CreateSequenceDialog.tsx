import { contract } from '@pillar/contract'
import { pharmacySequenceProblems } from '@pillar/domain/campaign/sequence-draft'
import type { Problem } from '@pillar/domain/text/sentence'
import { useRead } from '../../api/client.ts'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { creating } from '../../kit/dialog/form-words.ts'
import type { Bind } from '../../kit/dialog/useFormDialog.ts'
import { notLoaded } from '../../kit/display/Loaded.tsx'
import { SelectField, SwitchField, TextAreaField, TextField } from '../../kit/form/fields.tsx'
import { LookupField } from '../../kit/form/LookupField.tsx'
import { useCountry } from '../../session/session.ts'
import { newId } from '../../shared/new-id.ts'
import { useCompanies } from '../company/company-options.ts'
import { type FollowUpRow, FollowUpsField } from './FollowUpsField.tsx'
import { useEventOptions, useRecommendationOptions, useTemplateOptions } from './lookups.ts'
import { Rules, sent, valuesOf } from './PharmacySequenceDialog.tsx'

const START = { ...valuesOf(null), company_id: '', location_id: '', active: false, follow_ups: [] as FollowUpRow[] }
type Draft = typeof START

/** What is missing: for a recommended sequence only the pharmacy, for one of its own everything. */
function problemsOf(values: Draft): Problem<keyof Draft & string>[] {
  const { company_id, location_id } = values
  const place: Problem<keyof Draft & string>[] = [
    ...(company_id === '' ? [{ field: 'company_id' as const, words: 'select a company' }] : []),
    ...(location_id === '' ? [{ field: 'location_id' as const, words: 'select a pharmacy' }] : []),
  ]
  const own = ['title', 'sequence_event_id', 'follow_ups']
  const found = pharmacySequenceProblems({ ...sent(values), follow_ups: values.follow_ups })
  return [...place, ...(values.sequence_recommendation_id ? found.filter(({ field }) => !own.includes(field)) : found)]
}

/** A sequence for a pharmacy: a recommended one, or one of its own. Closes with the new sequence's id. */
export function CreateSequenceDialog({ onClose }: { onClose: (made?: string) => void }) {
  return (
    <FormDialog
      size="M"
      keeps
      words={creating('pharmacy sequence', 'Pharmacy Sequence Created Successfully')}
      call={contract.sequenceAdmin.create}
      ask={({ active }) => ({
        title: 'Create pharmacy sequence?',
        consequence: active
          ? 'The company gets its own copies of recommended templates, and they are activated. Patients of the pharmacy start the sequence from the next upload on.'
          : 'The company gets its own copies of recommended templates. No patient starts the sequence until it is activated.',
        button: 'Create sequence',
      })}
      initial={START}
      input={(values) => {
        const { company_id: _, version: __, follow_ups, title, description, sequence_event_id, ...rest } = sent(values)
        const own = rest.sequence_recommendation_id ? {} : { sequence_event_id, description, follow_ups }
        return { ...rest, ...own, ...(title === '' && rest.sequence_recommendation_id ? {} : { title }) }
      }}
      check={problemsOf}
      onClose={(answer) => onClose(answer?.id)}
    >
      {(f, values) => (
        <>
          <CompanyField f={f} values={values} />
          <PharmacyField f={f} company={values.company_id} />
          <LookupField
            {...f('sequence_recommendation_id', 'Recommended sequence')}
            description="If blank, the sequence starts from nothing."
            useOptions={useRecommendationOptions}
          />
          <TextField
            {...f('title', 'Title')}
            description={values.sequence_recommendation_id ? 'If blank, the recommended sequence’s.' : undefined}
          />
          {values.sequence_recommendation_id ? null : <Own f={f} company={values.company_id} />}
          <OwnRules f={f} company={values.company_id} />
          <SwitchField {...f('active', 'Active')} />
        </>
      )}
    </FormDialog>
  )
}

/** Another company has other pharmacies and templates: those selected before would be sent to without being visible. */
function CompanyField({ f, values }: { f: Bind<Draft>; values: Draft }) {
  const company = f('company_id', 'Company')
  const change = (uuid: string) => {
    if (uuid === values.company_id) return
    company.onChange(uuid)
    f('location_id', 'Pharmacy').onChange('')
    f('follow_ups', 'Follow-ups').onChange(
      values.follow_ups.map((row) => ({ ...row, key: newId(), template_id: '', template: '' })),
    )
  }
  return <LookupField {...company} onChange={change} useOptions={useCompanies} data-autofocus />
}

function PharmacyField({ f, company }: { f: Bind<Draft>; company: string }) {
  const read = useRead(contract.company.locations, { id: company }, { enabled: company !== '' })
  const places = company === '' ? [] : (read.data?.data ?? [])
  return (
    <SelectField
      {...f('location_id', 'Pharmacy')}
      disabled={company === '' || !read.data}
      description={company === '' ? 'Select a company first.' : undefined}
      failed={notLoaded('its pharmacies', read)}
      options={[{ value: '', label: 'Select' }, ...places.map(({ uuid, name }) => ({ value: uuid, label: name }))]}
    />
  )
}

/** How it is sent; the budget is in the company's currency. */
function OwnRules({ f, company }: { f: Bind<Draft>; company: string }) {
  const own = useCountry()
  const read = useRead(contract.company.info, { id: company }, { enabled: company !== '' })
  return <Rules f={f} country={read.data?.country ?? own} />
}

/** The fields that only a sequence of the pharmacy's own has. */
function Own({ f, company }: { f: Bind<Draft>; company: string }) {
  return (
    <>
      <TextAreaField {...f('description', 'Description')} rows={2} />
      <LookupField {...f('sequence_event_id', 'Sequence event')} useOptions={useEventOptions} />
      <FollowUpsField
        {...(f('follow_ups', 'Follow-ups') as ReturnType<typeof f> & { value: FollowUpRow[]; onChange: () => void })}
        useOptions={useTemplateOptions}
        within={company}
      />
    </>
  )
}
