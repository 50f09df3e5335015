import { Check, ChevronDown, ChevronRight } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Icon } from './Icon.tsx'
import styles from './Steps.module.css'

interface Step<N extends string> {
  name: N
  title: string
  /** Its progress so far, in a few words. */
  note?: string | undefined
  /** Whether the next steps have what they need: shows a tick instead of the number. */
  done: boolean
  content: ReactNode
}

interface StepsProps<N extends string> {
  steps: readonly Step<N>[]
  open: N | null
  onOpen: (name: N | null) => void
}

/** Numbered steps below each other, one of them open. Entries in a closed step are kept. */
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
