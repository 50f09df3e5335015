import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useId, useRef, useState } from 'react'
import { Segments } from '../form/Segments.tsx'
import { Dialog } from './Dialog.tsx'
import styles from './Reauth.module.css'
import { ReauthFields, useReauthFields } from './ReauthFields.tsx'
import { reauthProblem } from './reauth-rules.ts'
import { type Asked, useAsked } from './useReauth.ts'

const CHOICES = [
  { value: 'changes', label: 'Save Changes' },
  { value: 'new', label: 'New' },
] as const

/** Where password questions appear; once, in the frame. */
export function ReauthHost() {
  const question = useAsked()
  return question ? <ReauthDialog key={question.key} question={question} /> : null
}

function ReauthDialog({ question }: { question: Asked }) {
  const { saveAs } = question
  const id = useId()
  const fields = useReauthFields()
  const [as, setAs] = useState<'changes' | 'new'>('changes')
  const [name, setName] = useState(saveAs?.name ?? '')
  const nameInput = useRef<HTMLInputElement>(null)
  const asNew = saveAs !== undefined && as === 'new'
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (fields.busy) return
    const { username, password } = fields
    const problem = reauthProblem({ username, password, as, name }, saveAs?.noun ?? null)
    if (problem) {
      fields.setError(problem.message)
      if (problem.field === 'name') nameInput.current?.focus()
      else fields.focus(problem.field)
      return
    }
    const action = asNew ? (saveAs.newAction ?? 'save') : question.action
    const grant = await fields.confirm(action, asNew ? null : question.object)
    if (grant) question.answer({ grant, as: asNew ? 'new' : 'changes', name: asNew ? name.trim() : null })
  }
  return (
    <Dialog
      opened
      size="confirm"
      title={question.title}
      closable={!fields.busy}
      onClose={() => question.answer(null)}
      error={fields.error}
      footLeft={question.note ? <span className="muted">{question.note}</span> : null}
      foot={
        <>
          <Button onClick={() => question.answer(null)} disabled={fields.busy}>
            Back
          </Button>
          <Button
            type="submit"
            form={id}
            variant="filled"
            color={question.danger ? 'brick' : undefined}
            loading={fields.busy}
          >
            {asNew ? `Save as a new ${saveAs.noun.toLowerCase()}` : question.button}
          </Button>
        </>
      }
    >
      <form id={id} className={styles.form} onSubmit={submit} noValidate>
        <div className={styles.consequence}>
          {asNew ? `The ${saveAs.noun.toLowerCase()} you opened stays as it is.` : question.consequence}
        </div>
        {saveAs ? <Segments label="Save as" options={CHOICES} value={as} onChange={setAs} /> : null}
        {asNew ? (
          <TextInput
            ref={nameInput}
            label={`${saveAs.noun} name`}
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        ) : null}
        <ReauthFields state={fields} autoFocus />
      </form>
    </Dialog>
  )
}
