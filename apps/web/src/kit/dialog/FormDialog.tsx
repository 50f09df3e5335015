import { Button } from '@mantine/core'
import type { AskOf, Call, GuardedCall, ReplyOf } from '@pillar/contract'
import type { Problem } from '@pillar/domain/text/sentence'
import { type ReactNode, useId, useMemo, useState } from 'react'
import type { Ask, SentOf } from '../../api/client.ts'
import { Conflict } from './Conflict.tsx'
import { Dialog } from './Dialog.tsx'
import styles from './FormDialog.module.css'
import { type FieldWords, FieldWordsProvider, type Names } from './field-words.ts'
import type { FormWords } from './form-words.ts'
import { type Bind, useFormDialog, type Values } from './useFormDialog.ts'

type FormDialogProps<V extends Values, C extends Call> = {
  words: FormWords<V>
  call: C
  /** What the fields start with; `version` among them goes along unseen, and so do `names`, what its ids are called. */
  initial: V
  /** The values as the call takes them. */
  input: (values: V) => AskOf<C>
  /** What is wrong, by the rules of the noun, in the order of the fields. */
  check?: (values: V) => readonly Problem<keyof V & string>[]
  /** What is saved now, for when somebody else was faster; `mine` may say of what. */
  latest?: (mine: V) => Promise<V>
  /** What is typed waits in the browser where the session ends, for the same person: of long texts alone, and never where a person is named. */
  keeps?: boolean
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
  const { words: said, size = 'S', children, ask, also } = props
  const id = useId()
  // A consequence alone is enough: what the dialog is about is the question.
  const asked = typeof ask === 'string' ? { title: `${said.title}?`, consequence: ask, button: said.title } : ask
  const state = useFormDialog<V, C>(props, asked)
  const { busy, theirs } = state
  const values = state.form.getValues()
  const [words] = useState<FieldWords>(() => new Map())
  const names = useNamesOf(values, theirs)
  const context = useMemo(() => ({ words, names }), [words, names])
  const blocked = theirs ? '' : (said.blocked?.(values) ?? '')
  return (
    <Dialog
      opened
      size={size}
      title={said.title}
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
          <SaveButtons words={said} form={id} busy={busy} blocked={blocked !== ''} onCancel={state.leave} />
        )
      }
    >
      {theirs ? <Conflict {...{ mine: values, theirs, words, names }} labels={state.labels.current} /> : null}
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
        <FieldWordsProvider value={context}>{children(state.bind, values)}</FieldWordsProvider>
      </form>
    </Dialog>
  )
}

/** The names that came with the values, and with those of somebody else. */
function useNamesOf(values: Values, theirs: Values | null): Names {
  const [own, other] = [values.names as Names | undefined, theirs?.names as Names | undefined]
  return useMemo(() => ({ ...own, ...other }), [own, other])
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
