import { Button } from '@mantine/core'
import type { AskOf, Call, GuardedCall, ReplyOf } from '@pillar/contract'
import type { Problem } from '@pillar/domain/text/sentence'
import { type ReactNode, useId } from 'react'
import type { Ask, SentOf } from '../../api/client.ts'
import { Conflict } from './Conflict.tsx'
import { Dialog } from './Dialog.tsx'
import styles from './FormDialog.module.css'
import type { FormWords } from './form-words.ts'
import { type Bind, useFormDialog, type Values } from './useFormDialog.ts'

type FormDialogProps<V extends Values, C extends Call> = {
  words: FormWords<V>
  call: C
  /** What the fields start with; `version` among them goes along unseen. */
  initial: V
  /** The values as the call takes them. */
  input: (values: V) => AskOf<C>
  /** What is wrong, by the rules of the noun, in the order of the fields. */
  check?: (values: V) => readonly Problem<keyof V & string>[]
  /** What is saved now, for when somebody else was faster. */
  latest?: () => Promise<V>
  size?: 'S' | 'M'
  /** Said once it is saved, when that depends on what was; otherwise `words.done`. */
  done?: (answer: ReplyOf<C>, input: SentOf<C>) => string
  /** A second way to save, at the left of the foot: with these values instead. */
  also?: { label: string; values: Partial<V> }
  /** With the answer and what was saved, without when the person leaves. */
  onClose: (answer?: ReplyOf<C>, saved?: V) => void
  children: (f: Bind<V>, values: V) => ReactNode
} & (C extends GuardedCall ? { ask: Ask<C> | string } : { ask?: never })

/** A form in a dialog: what is wrong stands beside its field and nothing typed is lost, whatever the server says. */
export function FormDialog<V extends Values, C extends Call>(props: FormDialogProps<V, C>) {
  const { words, size = 'S', children, ask, also } = props
  const id = useId()
  // A consequence alone is enough: what the dialog is about is the question.
  const asked = typeof ask === 'string' ? { title: `${words.title}?`, consequence: ask, button: words.title } : ask
  const state = useFormDialog<V, C>(props, asked)
  const { busy, theirs } = state
  const blocked = theirs ? '' : (words.blocked?.(state.form.getValues()) ?? '')
  return (
    <Dialog
      opened
      size={size}
      title={words.title}
      onClose={state.leave}
      closable={!busy}
      error={theirs ? null : state.said}
      footLeft={
        theirs ? null : (
          <>
            {also ? (
              <Button variant="subtle" disabled={busy} onClick={() => state.save(also.values)}>
                {also.label}
              </Button>
            ) : null}
            {blocked ? (
              <span id={`${id}-blocked`} className="muted">
                {blocked}
              </span>
            ) : null}
          </>
        )
      }
      foot={
        theirs ? (
          <>
            <Button onClick={state.takeTheirs}>Use the saved version</Button>
            <Button variant="filled" onClick={state.keepMine}>
              Save mine over it
            </Button>
          </>
        ) : (
          <SaveButtons words={words} form={id} busy={busy} blocked={blocked !== ''} onCancel={state.leave} />
        )
      }
    >
      {theirs ? <Conflict mine={state.form.getValues()} theirs={theirs} labels={state.labels.current} /> : null}
      <form
        ref={state.box}
        id={id}
        className={styles.form}
        hidden={theirs !== null}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          // A dialog opened from another form stands inside it for React: that one is not saved along.
          event.stopPropagation()
          state.save()
        }}
      >
        {children(state.bind, state.form.getValues())}
      </form>
    </Dialog>
  )
}

interface SaveButtonsProps {
  words: Pick<FormWords, 'button' | 'busy'>
  form: string
  busy: boolean
  blocked: boolean
  onCancel: () => void
}

function SaveButtons({ words, form, busy, blocked, onCancel }: SaveButtonsProps) {
  return (
    <>
      <Button onClick={onCancel} disabled={busy}>
        Cancel
      </Button>
      <Button
        type="submit"
        form={form}
        variant="filled"
        disabled={blocked}
        aria-describedby={blocked ? `${form}-blocked` : undefined}
        aria-disabled={busy}
      >
        {busy ? words.busy : words.button}
      </Button>
    </>
  )
}
