import { partsOfMessage } from '@pillar/domain/message/merge-field'
import { OPT_OUT_TEXT } from '@pillar/domain/message/sms-text'
import styles from './MessageEditor.module.css'
import { fieldLabel } from './message-chips.ts'

/** A message for reading: its fields as chips, and the opt-out line if it is sent as a text. */
export function MessageText({ text, sms = false }: { text: string; sms?: boolean }) {
  let at = 0
  return (
    <div className={styles.message}>
      {partsOfMessage(text).map((part) => {
        const key = at
        at += part.text.length
        if (part.kind === 'text') return part.text
        const field = part.kind === 'field'
        return (
          <span key={key} className={field ? styles.chip : styles.unknown}>
            {field ? fieldLabel(part.field) : part.text}
          </span>
        )
      })}
      {sms ? <span className={styles.optOut}>{OPT_OUT_TEXT}</span> : null}
    </div>
  )
}
