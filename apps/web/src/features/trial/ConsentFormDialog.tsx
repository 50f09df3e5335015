import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { TrialConsentForm } from '@pillar/contract/trial/consent-form-admin'
import type { ClinicalTrial } from '@pillar/contract/trial/trial-admin'
import { consentFormProblems } from '@pillar/domain/trial/consent-form'
import { useState } from 'react'
import { send, useRead } from '../../api/client.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { creating, editing } from '../../kit/dialog/form-words.ts'
import { Failed, Loading } from '../../kit/display/states.tsx'
import { TextAreaField, TextField } from '../../kit/form/fields.tsx'
import { ConsentHistory } from './ConsentHistory.tsx'
import { ConsentPreview } from './ConsentPreview.tsx'

const calls = contract.trialConsentForm
const NO_FORM = 'No consent form found for this clinical trial.'
const NOTHING = { form_title: '', intro: '', purpose_heading: '', purpose: '', criteria_heading: '', criteria: '' }
const valuesOf = (form: TrialConsentForm | null) => {
  const {
    created_at: _,
    created_by: __,
    ...values
  } = form ?? { ...NOTHING, version: 0, created_at: '', created_by: null }
  return values
}

/** A trial's consent form: its first version, or a new version of an existing one. */
export function ConsentFormDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const trial = useRead(contract.clinicalTrial.info, { trial_id: id })
  const form = useRead(calls.current, { trial_id: id }, { staleTime: 0 })
  const missing = form.error?.message === NO_FORM
  const error = trial.error ?? (missing ? null : form.error)
  if (error || !trial.data || form.isPending) {
    return (
      <Dialog opened title="Consent form" onClose={onClose} size="M">
        {error ? (
          <Failed
            title="Could not load the consent form"
            error={error}
            onRetry={() => void Promise.all([trial.refetch(), form.refetch()])}
          />
        ) : (
          <Loading words="Loading consent form..." />
        )}
      </Dialog>
    )
  }
  const current = missing ? null : (form.data?.data ?? null)
  return <ConsentForm key={current?.version ?? 0} trial={trial.data} form={current} onClose={onClose} />
}

interface ConsentFormProps {
  trial: ClinicalTrial
  /** Null for a trial without one. */
  form: TrialConsentForm | null
  onClose: () => void
}

function ConsentForm({ trial, form, onClose }: ConsentFormProps) {
  const { trial_id } = trial
  const [shown, show] = useState<'preview' | 'history' | null>(null)
  return (
    <FormDialog
      size="M"
      keeps
      words={
        form
          ? editing('consent form', 'Consent Form Updated Successfully')
          : creating('consent form', 'Consent Form Created Successfully')
      }
      call={form ? calls.edit : calls.create}
      ask={
        form
          ? `This becomes version ${form.version + 1}. Patients who have agreed keep the version they read.`
          : `Patients who are invited to ${trial.name} read it before they answer.`
      }
      initial={valuesOf(form)}
      input={(values) => ({ ...values, trial_id })}
      check={consentFormProblems}
      latest={async () => valuesOf((await send(calls.current, { trial_id })).data)}
      onClose={(answer) => {
        // After the first version, the dialog continues with it, so the next save creates a new version.
        if (!answer || form) onClose()
      }}
    >
      {(f, values) => (
        <>
          <TextField {...f('form_title', 'Form title')} required data-autofocus />
          <TextAreaField {...f('intro', 'Intro')} required description="Each line becomes a paragraph." />
          <TextField {...f('purpose_heading', 'Purpose heading')} required />
          <TextAreaField {...f('purpose', 'Purpose')} required />
          <TextField {...f('criteria_heading', 'Criteria heading')} required />
          <TextAreaField
            {...f('criteria', 'Criteria')}
            required
            description="One on each line, with or without a dash."
          />
          <div>
            <Button onClick={() => show('preview')}>Preview</Button>{' '}
            {form ? <Button onClick={() => show('history')}>Versions ({form.version})</Button> : null}
          </div>
          {shown === 'preview' ? (
            <Dialog opened title="As a patient sees it" onClose={() => show(null)}>
              <ConsentPreview text={values} trial={trial} />
            </Dialog>
          ) : null}
          {shown === 'history' ? <ConsentHistory trial={trial} onClose={() => show(null)} /> : null}
        </>
      )}
    </FormDialog>
  )
}
