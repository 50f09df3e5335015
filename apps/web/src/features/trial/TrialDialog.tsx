import { contract } from '@pillar/contract'
import type { ClinicalTrial } from '@pillar/contract/trial/trial-admin'
import { useState } from 'react'
import { send, useRead } from '../../api/client.ts'
import { useProductName } from '../../frame/title.ts'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { creating, editing } from '../../kit/dialog/form-words.ts'
import { ReadDialog } from '../../kit/dialog/ReadDialog.tsx'
import { FormSection } from '../../kit/form/FormSection.tsx'
import { CreateGlobalTemplate } from '../template/admin/AdminTemplateDialog.tsx'
import { TrialApprovals } from './TrialApprovals.tsx'
import { TrialCriteria } from './TrialCriteria.tsx'
import { TrialFields } from './TrialFields.tsx'
import { inputOf, problemsOf, valuesOf } from './trial-values.ts'

const calls = contract.clinicalTrial

interface TrialDialogProps {
  /** Null for a new trial. */
  id: string | null
  /** Gets the new trial, once it is created. */
  onClose: (made?: { id: string; name: string }) => void
}

/** A clinical trial, with its consent form and its ethics approval once it exists. */
export function TrialDialog({ id, onClose }: TrialDialogProps) {
  const read = useRead(calls.info, { trial_id: id ?? '' }, { enabled: id !== null, staleTime: 0 })
  if (id === null) return <TrialForm trial={null} onClose={onClose} />
  return (
    <ReadDialog title="Edit clinical trial" read={read} what="the clinical trial" onClose={() => onClose()}>
      {(trial) => <TrialForm trial={trial} onClose={onClose} />}
    </ReadDialog>
  )
}

function TrialForm({ trial, onClose }: Pick<TrialDialogProps, 'onClose'> & { trial: ClinicalTrial | null }) {
  const product = useProductName()
  const [template, setTemplate] = useState<((id: string) => void) | null>(null)
  const trial_id = trial?.trial_id ?? ''
  return (
    <FormDialog
      size="M"
      keeps
      words={
        trial
          ? editing('clinical trial', 'Clincial Trial Updated Successfully')
          : creating('clinical trial', 'Trial Created Successfully')
      }
      call={trial ? calls.edit : calls.create}
      ask={
        trial
          ? 'Rebates already owed keep their amounts. Eligible patients will be recounted.'
          : 'It starts inactive. Its eligible patients are counted at every pharmacy.'
      }
      initial={valuesOf(trial)}
      input={(values) => ({ ...inputOf(values, trial), trial_id, version: values.version })}
      check={(values) => problemsOf(values, product)}
      latest={async () => valuesOf(await send(calls.info, { trial_id }))}
      onClose={(answer, saved) => onClose(answer && !trial ? { id: answer.id, name: saved?.name ?? '' } : undefined)}
    >
      {(f, values) => (
        <div>
          <FormSection title="Clinical Trial" open>
            <TrialFields
              f={f}
              values={values}
              trial={trial}
              product={product}
              onNewTemplate={(add) => setTemplate(() => add)}
            />
          </FormSection>
          <FormSection title="Who is counted as eligible" note={criteriaNote(values)}>
            <TrialCriteria f={f} />
          </FormSection>
          <FormSection title="Consent Forms" note={consentNote(trial)} open={trial !== null && trial.not_ready !== ''}>
            <TrialApprovals trial={trial} />
          </FormSection>
          {template ? (
            <CreateGlobalTemplate
              onClose={(made) => {
                if (made) template(made.id)
                setTemplate(null)
              }}
            />
          ) : null}
        </div>
      )}
    </FormDialog>
  )
}

const consentNote = (trial: ClinicalTrial | null) =>
  trial === null ? 'after the trial is created' : trial.not_ready === '' ? 'ready' : 'not ready for activation'

function criteriaNote(values: ReturnType<typeof valuesOf>): string {
  const lists = [values.age, values.patient_sex, values.patient_type, values.polypharmacy, values.adherence]
  const more = [values.loyalty, values.distance_from_store, values.drug_type]
  const set = [...lists, ...more].filter((list) => list.length > 0).length + (values.molecules.trim() === '' ? 0 : 1)
  return set === 0 ? 'every patient' : set === 1 ? '1 filter' : `${set} filters`
}
