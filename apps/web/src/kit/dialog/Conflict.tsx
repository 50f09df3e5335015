import styles from './FormDialog.module.css'
import { type FieldWords, type Names, plainWords } from './field-words.ts'
import { isChanged } from './merged.ts'
import type { Values } from './useFormDialog.ts'

interface ConflictProps {
  mine: Values
  /** The values that the form opened with. */
  opened: Values
  theirs: Values
  /** The newer version may be this person's own attempt that got no answer. */
  own: boolean
  labels: Readonly<Record<string, string>>
  /** How the fields put their values into words. */
  words: FieldWords
  names: Names
}

/** Both versions, field by field, when somebody else has saved in the meantime. */
export function Conflict({ mine, opened, theirs, own, labels, words, names }: ConflictProps) {
  const fields = Object.entries(labels).filter(([name]) => JSON.stringify(mine[name]) !== JSON.stringify(theirs[name]))
  const worded = (name: string, value: unknown) => words.get(name)?.(value, names) ?? plainWords(value)
  return (
    <div className={styles.conflict} role="alert">
      <p>
        {own
          ? 'This was saved meanwhile, by someone else or by your own attempt that got no answer. What is shown as yours is not saved yet.'
          : 'Someone else saved this while you were editing. Nothing of yours has been saved yet.'}
      </p>
      {fields.length === 0 ? (
        <p className="muted">The saved version says the same as yours.</p>
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
                <td>{worded(name, theirs[name])}</td>
                <td>
                  {worded(name, mine[name])}
                  {isChanged(name, mine, opened) ? null : <small>you did not change it, so theirs stays</small>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
