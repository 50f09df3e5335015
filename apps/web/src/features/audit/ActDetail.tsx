import { NO_VALUE } from '@pillar/domain/time/locale'
import type { ReactNode } from 'react'
import { CopyButton } from '../../kit/display/CopyButton.tsx'
import styles from './Audit.module.css'

/** The uuid of one record; a row about several uses words instead. */
const ONE = /^[\w-]{36}$/

interface Act {
  object: string | null
  reason: string | null
  changes: readonly { object: string | null; fields: readonly { label: string; before: string; after: string }[] }[]
}

/** An opened row of a log: what changed, before and after side by side, why, and the row's other details. */
export function ActDetail({
  act,
  facts,
}: {
  act: Act
  facts: readonly (readonly [label: string, value: ReactNode])[]
}) {
  const shown = [['Reason', act.reason] as const, ...facts].filter(([, value]) => value)
  const several = act.changes.length > 1
  return (
    <div className={styles.detail}>
      {act.changes.map(({ object, fields }) => (
        <table key={object ?? ''} className={styles.changes}>
          <caption>{several && object ? `Changes of ${object}` : 'Changes'}</caption>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ label, before, after }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{before}</td>
                <td>{after}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
      <dl className={styles.facts}>
        {shown.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>Object</dt>
          <dd>
            {act.object ?? NO_VALUE}
            {act.object && ONE.test(act.object) ? <CopyButton what="UUID" text={act.object} /> : null}
          </dd>
        </div>
      </dl>
    </div>
  )
}
