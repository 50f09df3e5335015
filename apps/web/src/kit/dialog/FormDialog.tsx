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
  /** The initial values; a `version` among them is sent along invisibly, and so are `names`, the names behind its ids. */
  initial: V
  /** The values in the call's format. */
  input: (values: V) => AskOf<C>
  /** What is wrong, by the domain's rules, in the order of the fields. */
  check?: (values: V) => readonly Problem<keyof V & string>[]
  /** The values saved now, in case somebody else was faster; `mine` may identify the record. */
  latest?: (mine: V) => Promise<V>
  /** Typed text is kept in the browser, for the same person, when the session ends: only for long texts, and never if a person is named. */
  keeps?: boolean
  size?: 'S' | 'M'
  /** The message after saving, if it depends on what was saved; otherwise `words.done`. */
  done?: (answer: ReplyOf<C>, input: SentOf<C>) => string
  /** A second way to save, at the left of the foot, with these values instead. */
  also?: { label: string; values: Partial<V> }
  /** Called with the answer and what was saved, or with nothing when the person leaves. */
  onClose: (answer?: ReplyOf<C>, saved?: V) => void
  children: (f: Bind<V>, values: V) => ReactNode
} & (C extends GuardedCall ? { ask: Ask<C> | string } : { ask?: never })

/** A form in a dialog: problems appear beside their fields, and nothing typed is lost, whatever the server answers. */
export function FormDialog<V extends Values, C extends Call>(props: FormDialogProps<V, C>) {
  const { words: said, size = 'S', children, ask, also } = props
  const id = useId()
  // A consequence alone is enough; the dialog's subject is then the question.
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
              <Button variant="subtle" aria-disabled={busy} onClick={() => state.save(also.values)}>
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
      {theirs ? (
        <Conflict
          {...{ mine: values, opened: state.form.getInitialValues(), theirs, own: state.own, words, names }}
          labels={state.labels.current}
        />
      ) : null}
      <form
        ref={state.box}
        id={id}
        className={styles.form}
        hidden={theirs !== null}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          // React sees a dialog opened from another form as inside it, so that form must not be submitted along.
          event.stopPropagation()
          state.save()
        }}
      >
        <FieldWordsProvider value={context}>{children(state.bind, values)}</FieldWordsProvider>
      </form>
    </Dialog>
  )
}

/** The names that came with the values, and with somebody else's. */
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
