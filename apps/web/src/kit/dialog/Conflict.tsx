import styles from './FormDialog.module.css'
import type { Values } from './useFormDialog.ts'

interface ConflictProps {
  mine: Values
  theirs: Values
  labels: Readonly<Record<string, string>>
}

/** Both versions, field by field, when somebody else has saved meanwhile. */
export function Conflict({ mine, theirs, labels }: ConflictProps) {
  const fields = Object.entries(labels).filter(([name]) => JSON.stringify(mine[name]) !== JSON.stringify(theirs[name]))
  return (
    <div className={styles.conflict} role="alert">
      <p>Someone else saved this while you were editing. Nothing of yours has been saved yet.</p>
      {fields.length === 0 ? (
        <p className="muted">Their version says the same as yours.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Saved now</th>
              <th scope="col">Yours</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(([name, label]) => (
              <tr key={name}>
                <th scope="row">{label}</th>
                <td>{wordsFor(theirs[name])}</td>
                <td>{wordsFor(mine[name])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}

function wordsFor(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (value === null || value === undefined || value === '') return '–'
  if (Array.isArray(value)) return `${value.length} selected`
  if (typeof value !== 'object') return String(value)
  const set = Object.values(value).filter((part) => (Array.isArray(part) ? part.length > 0 : part !== null))
  return set.length === 0 ? '–' : `${set.length} set`
}
