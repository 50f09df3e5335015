import { Button, Textarea } from '@mantine/core'
import { CirclePause, ShieldAlert, Sparkles } from 'lucide-react'
import { useRef, useState } from 'react'
import { Icon } from '../../../kit/display/Icon.tsx'
import { Failed } from '../../../kit/display/states.tsx'
import { MessageText } from '../editor/MessageText.tsx'
import styles from '../Template.module.css'
import { type AiDraft, useAiDraft } from './useAiDraft.ts'

interface AiAskProps {
  about: {
    category_name: string | null
    subcategory_name: string | null
    communication_type: 'sms' | 'email' | 'both'
  }
  onInsert: (text: string) => void
}

/** Announced once the draft ends; a failure has its own alert. */
const SPOKEN: Readonly<Record<AiDraft['state'], string>> = {
  none: '',
  writing: '',
  done: 'The draft is ready.',
  stopped: 'Stopped before the text was finished.',
  failed: '',
}

/** Asks the AI service for a text and shows it as it is written, with a Stop button. */
export function AiAsk({ about, onInsert }: AiAskProps) {
  const [prompt, setPrompt] = useState('')
  const { draft, ask, stop } = useAiDraft()
  const again = useRef<HTMLButtonElement>(null)
  const writing = draft.state === 'writing'
  const empty = prompt.trim() === ''
  return (
    <>
      <Textarea
        label="What should the message say?"
        autosize
        minRows={3}
        value={prompt}
        onChange={(event) => setPrompt(event.currentTarget.value)}
      />
      <p className={styles.warning}>
        <Icon of={ShieldAlert} />
        <span>
          Leave out anything that identifies a patient: an outside service reads what you write here. Review the text
          before you send it.
        </span>
      </p>
      <div className={styles.ask}>
        {empty ? <span className="muted">First say what the message is about</span> : null}
        {writing ? (
          <Button
            leftSection={<Icon of={CirclePause} />}
            onClick={() => {
              stop()
              // The focused button disappears.
              again.current?.focus()
            }}
          >
            Stop
          </Button>
        ) : null}
        <Button
          ref={again}
          variant="filled"
          leftSection={<Icon of={Sparkles} />}
          disabled={empty}
          aria-disabled={empty || writing}
          onClick={() => {
            if (!writing) void ask({ prompt, ...about })
          }}
        >
          {writing ? 'Writing...' : draft.state === 'none' ? 'Ask AI' : 'Ask again'}
        </Button>
      </div>
      {draft.error ? (
        <Failed title={draft.text === '' ? 'No text was written' : 'The text was not finished'} error={draft.error} />
      ) : null}
      {draft.text === '' ? null : (
        <section className={styles.draft} aria-label="Answer" aria-busy={writing}>
          <MessageText text={draft.text} />
          {draft.state === 'stopped' ? <p className={styles.hint}>Stopped before the text was finished.</p> : null}
          {writing ? null : (
            <Button onClick={() => onInsert(draft.text)}>
              {draft.state === 'done' ? 'Use this text' : 'Use the unfinished text'}
            </Button>
          )}
        </section>
      )}
      <p className="sr" role="status">
        {SPOKEN[draft.state]}
      </p>
    </>
  )
}
