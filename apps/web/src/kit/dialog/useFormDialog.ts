import { useForm } from '@mantine/form'
import type { AskOf, Call, ReplyOf } from '@pillar/contract'
import type { Problem } from '@pillar/domain/text/sentence'
import { useRef, useState } from 'react'
import { mayBeOwn, type SentOf, useWrite, type WriteOptions } from '../../api/client.ts'
import { attemptsSoFar } from '../../api/send-once.ts'
import { RefusedError } from '../../shared/refused.ts'
import { putErrors } from '../form/field.ts'
import { type Checked, focusFirst, problemsIn } from '../form/problems.ts'
import type { FormWords } from './form-words.ts'
import { merged } from './merged.ts'
import { useKeptWork } from './unsaved/useKeptWork.ts'
import { useUnsaved } from './unsaved/useUnsaved.ts'

export type Values = Record<string, unknown>

/** An input bound to a value by a name that must exist. The label is kept for the words of a conflict. */
export type Bind<V extends Values> = (name: keyof V & string, label: string) => Bound
export interface Bound {
  name: string
  label: string
  // Mantine's own type: each input takes its own kind of value.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  [input: string]: any
}

interface Options<V extends Values, C extends Call> {
  words: FormWords<V>
  call: C
  initial: V
  input: (values: V) => AskOf<C>
  check?: ((values: V) => readonly Problem<keyof V & string>[]) | undefined
  latest?: ((mine: V) => Promise<V>) | undefined
  keeps?: boolean | undefined
  /** The message after saving, if it depends on what was saved; otherwise `words.done`. */
  done?: ((answer: ReplyOf<C>, input: SentOf<C>) => string) | undefined
  onClose: (answer?: ReplyOf<C>, saved?: V) => void
}

/** State of a form dialog: values, problems, the write, unsaved work, and somebody else's newer version. */
export function useFormDialog<V extends Values, C extends Call>(options: Options<V, C>, ask: unknown) {
  const { words, call, initial, input, check, latest, onClose } = options
  const form = useForm<V>({ initialValues: initial })
  const doneWords = options.done ?? words.done
  const write = useWrite(call, ...([{ done: doneWords, ...(ask ? { ask } : {}) }] as unknown as WriteOptions<C>))
  // What an earlier form left without an answer says nothing about this one.
  const before = useRef(attemptsSoFar()).current
  const { leave, done } = useUnsaved(form.isDirty(), words.what, () => mayBeOwn(call, input(form.getValues()), before))
  // Includes the input that would be sent, which identifies the record: two records may have the same values.
  const opened = useRef(options.keeps ? `${call.path} ${JSON.stringify([initial, input(initial)])}` : call.path).current
  const dirty = options.keeps === true && form.isDirty()
  useKeptWork<V>(opened, { values: form.getValues(), dirty, restore: (typed) => form.setValues(typed) })
  const [said, setSaid] = useState<string | null>(null)
  /** The fields that the sentence names; none if it is about the whole form. */
  const [about, setAbout] = useState<readonly string[]>([])
  const [theirs, setTheirs] = useState<V | null>(null)
  const [own, setOwn] = useState(false)
  const box = useRef<HTMLFormElement>(null)
  const labels = useRef<Record<string, string>>({})

  const tell = ({ errors, sentence }: Checked) => {
    form.setErrors(errors)
    setSaid(sentence)
    setAbout(Object.keys(errors))
    focusFirst(box.current, Object.keys(errors))
  }
  const failed = async (thrown: unknown) => {
    if (latest && thrown instanceof RefusedError && thrown.code === 'conflict') {
      const newest = await latest(form.getValues()).catch(() => null)
      // A conflict may also be another one, such as a name that is taken; only a newer version needs comparing.
      if (newest && newest.version !== form.getValues().version) {
        setOwn(mayBeOwn(call, input(form.getValues())))
        setTheirs(newest)
      }
    }
    setSaid(putErrors(form, thrown))
    setAbout([])
    focusFirst(box.current, thrown instanceof RefusedError ? Object.keys(thrown.errors) : [])
  }
  const save = async (values: V) => {
    if (write.isPending) return
    const problems = problemsIn(values, check, call.input, input(values))
    if (problems) return tell(problems)
    setSaid(null)
    try {
      const answer = (await write.mutateAsync(input(values) as never)) as ReplyOf<C> | null
      if (answer === null) return
      done(() => onClose(answer, values))
    } catch (thrown) {
      await failed(thrown)
    }
  }
  const bind: Bind<V> = (name, label) => {
    labels.current[name] = label
    const type = typeof form.getValues()[name] === 'boolean' ? 'checkbox' : 'input'
    return { ...form.getInputProps(name, { type }), name, label }
  }
  return {
    form,
    box,
    bind,
    labels,
    // The sentence disappears once every field it names has been corrected.
    said: about.length > 0 && !about.some((name) => form.errors[name]) ? null : said,
    theirs,
    own,
    busy: write.isPending,
    /** Saves the values, with these replacing the form's own. */
    save: (instead: Partial<V> = {}) => void save({ ...form.getValues(), ...instead }),
    leave: () => leave(onClose),
    /** Saves what was changed here over the newer version. */
    keepMine: () => {
      const mine = theirs ? merged(form.getValues(), form.getInitialValues(), theirs) : form.getValues()
      if (theirs) form.setInitialValues(theirs)
      form.setValues(mine)
      setTheirs(null)
      void save(mine)
    },
    /** Continues with what somebody else saved. */
    takeTheirs: () => {
      if (!theirs) return
      form.setInitialValues(theirs)
      form.setValues(theirs)
      setTheirs(null)
      setSaid(null)
    },
  }
}
