import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useId, useRef, useState, useSyncExternalStore } from 'react'
import { RefusedError, wordsOf } from '../../shared/refused.ts'
import { Segments } from '../form/Segments.tsx'
import { Dialog } from './Dialog.tsx'
import { type Asked, type Granted, onQuestion, openQuestion } from './question.ts'
import styles from './Reauth.module.css'
import { ReauthFields, useReauthFields } from './ReauthFields.tsx'
import { reauthProblem, type SaveAs } from './reauth-rules.ts'

/** Shows questions, with or without a password; rendered once, in the frame. */
export function QuestionHost() {
  const question = useSyncExternalStore(onQuestion, openQuestion)
  return question ? <QuestionDialog key={question.key} question={question} /> : null
}

/** Problems with a field or the version belong to the form that asked, which shows them in place. */
const forTheForm = (thrown: unknown) =>
  thrown instanceof RefusedError && (thrown.code === 'conflict' || Object.keys(thrown.errors).length > 0)

function QuestionDialog({ question }: { question: Asked }) {
  const { password } = question
  const id = useId()
  const fields = useReauthFields()
  const save = useSaveAs(password?.saveAs)
  const { busy, submit } = useAct(question, fields, save)
  const back = () => question.answer(null)
  return (
    <Dialog
      opened
      size={password ? 'confirm' : 'S'}
      title={question.title}
      closable={!busy}
      onClose={back}
      error={fields.error}
      footLeft={question.note ? <span className="muted">{question.note}</span> : null}
      foot={
        <>
          <Button onClick={back} disabled={busy}>
            Back
          </Button>
          <Button type="submit" form={id} variant="filled" color={question.danger ? 'brick' : undefined} loading={busy}>
            {save.as === 'new' ? 'Save as a copy' : question.button}
          </Button>
        </>
      }
    >
      <form id={id} className={styles.form} onSubmit={submit} noValidate>
        <div className={styles.consequence}>
          {save.as === 'new' ? `The ${save.noun?.toLowerCase()} you opened stays as it is.` : question.consequence}
        </div>
        {save.noun ? <SaveAsFields save={save} /> : null}
        {password ? <ReauthFields state={fields} autoFocus /> : null}
      </form>
    </Dialog>
  )
}

/** Asks for the password if the call needs it, then acts. Errors appear here or in the form that opened it. */
function useAct(question: Asked, fields: ReturnType<typeof useReauthFields>, save: ReturnType<typeof useSaveAs>) {
  const { password } = question
  const [acting, setActing] = useState(false)
  const busy = acting || fields.busy
  const permission = async (): Promise<Granted | null> => {
    if (!password) return null
    const { username, password: typed } = fields
    const problem = reauthProblem({ username, password: typed, as: save.as, name: save.name }, save.noun)
    if (problem) {
      fields.setError(problem.message)
      if (problem.field === 'name') save.input.current?.focus()
      else fields.focus(problem.field)
      return null
    }
    const fresh = save.as === 'new'
    const action = fresh ? (password.saveAs?.newAction ?? 'save') : password.action
    const grant = await fields.confirm(action, fresh ? null : password.object)
    return grant ? { grant, as: save.as, name: fresh ? save.name.trim() : null } : null
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    fields.setError(null)
    const granted = await permission()
    if (password && !granted) return
    setActing(true)
    try {
      await question.act(granted)
      question.answer(granted ?? true)
    } catch (thrown) {
      if (password && forTheForm(thrown)) return question.fail(thrown)
      fields.setError(wordsOf(thrown))
      setActing(false)
    }
  }
  return { busy, submit }
}

function useSaveAs(saveAs: SaveAs | undefined) {
  const [as, setAs] = useState<'changes' | 'new'>('changes')
  const [name, setName] = useState(saveAs?.name ?? '')
  const input = useRef<HTMLInputElement>(null)
  return { as, setAs, name, setName, input, noun: saveAs?.noun ?? null }
}

/** Chooses between saving the changes and saving a new object beside it under its own name. */
function SaveAsFields({ save }: { save: ReturnType<typeof useSaveAs> }) {
  return (
    <>
      <Segments
        label="Save as"
        options={[
          { value: 'changes', label: `Update this ${save.noun?.toLowerCase()}` },
          { value: 'new', label: 'Save as a copy' },
        ]}
        value={save.as}
        onChange={save.setAs}
      />
      {save.as === 'new' ? (
        <TextInput
          ref={save.input}
          label={`${save.noun} name`}
          maxLength={200}
          value={save.name}
          onChange={(event) => save.setName(event.currentTarget.value)}
        />
      ) : null}
    </>
  )
}
