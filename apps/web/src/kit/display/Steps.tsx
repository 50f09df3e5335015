import { Check, ChevronDown, ChevronRight } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Icon } from './Icon.tsx'
import styles from './Steps.module.css'

interface Step<N extends string> {
  name: N
  title: string
  /** What there is of it so far, in few words. */
  note?: string | undefined
  /** It has what the next ones need: a tick in place of its number. */
  done: boolean
  content: ReactNode
}

interface StepsProps<N extends string> {
  steps: readonly Step<N>[]
  open: N | null
  onOpen: (name: N | null) => void
}

/** Numbered steps one under the other, one of them open. What was entered in a closed one stays. */
export function Steps<N extends string>({ steps, open, onOpen }: StepsProps<N>) {
  const id = useId()
  return (
    <ol className={styles.steps}>
      {steps.map(({ name, title, note, done, content }, at) => {
        const opened = name === open
        return (
          <li key={name} data-open={opened || undefined}>
            <h3>
              <button
                type="button"
                id={`${id}-${name}`}
                aria-expanded={opened}
                aria-controls={`${id}-${name}-panel`}
                onClick={() => onOpen(opened ? null : name)}
              >
                <span className={done ? styles.done : styles.number}>
                  {done ? <Icon of={Check} size={14} label="Done" /> : at + 1}
                </span>
                <span>{title}</span>
                {note ? <span className={styles.note}>{note}</span> : null}
                <span className={styles.chevron}>
                  <Icon of={opened ? ChevronDown : ChevronRight} />
                </span>
              </button>
            </h3>
            <section
              id={`${id}-${name}-panel`}
              aria-labelledby={`${id}-${name}`}
              className={styles.panel}
              hidden={!opened}
            >
              {content}
            </section>
          </li>
        )
      })}
    </ol>
  )
}
