import { useState } from 'react'
import { scrollEdges } from '../../display/scroll-edges.ts'
import type { Format } from '../axes.ts'
import chart from '../Chart.module.css'
import { Picture } from '../Picture.tsx'
import { drawnPicture, PICTURE_ROOM } from '../picture.ts'
import { finestOf, stepNames, stepsOf } from '../steps.ts'
import styles from './HeatMap.module.css'
import { breakable, type HeatRow, heatOf, stepOfCell } from './heat-map.ts'
import { StepKey } from './StepKey.tsx'
import inks from './Steps.module.css'

interface HeatMapProps {
  /** The answer in words. */
  title: string
  /** The question, the unit, and the period. */
  caption: string
  /** What the rows are, for the head of their names: 'Pharmacy'. */
  head: string
  columns: readonly string[]
  /** Heads of a row's totals, without colour: '18 others', 'All'. */
  endHeads: readonly string[]
  rows: readonly HeatRow[]
  /** Short, because the unit stands in the caption. */
  format: Format
  /** In full, for reading a single cell. */
  formatFull: Format
  /** The highlighted row. */
  marked?: string | null
}

/** The number of rows shown at once; the table and the files have all. */
const FIRST = 12

/** Rows by columns in steps of one hue, each cell with its figure. */
export function HeatMap({ title, caption, head, columns, endHeads, rows, format, formatFull, ...look }: HeatMapProps) {
  const { marked = null } = look
  const [all, setAll] = useState(false)
  const shown = all ? rows : rows.slice(0, FIRST)
  const steps = stepsOf(
    rows.flatMap(({ cells }) => cells.filter(({ hollow }) => !hollow).map(({ value }) => value)),
    finestOf(format),
  )
  const word = (value: number | null, as: Format, note = '') =>
    value === null ? note || '–' : `${as(value)}${note ? ` (${note})` : ''}`
  return (
    <Picture
      title={title}
      caption={caption}
      figures={{
        heads: [head, ...columns, ...endHeads],
        rows: rows.map(({ label, cells, ends }) => [label, ...cells.map(({ value }) => value), ...ends]),
      }}
      cells={rows.map(({ label, cells, ends }) => [
        ...[label, ...cells.map(({ value, note }) => word(value, formatFull, note))],
        ...ends.map((value) => word(value, formatFull)),
      ])}
      points={shown.flatMap(({ label, cells }) =>
        cells.map(({ value, note }, index) => `${label}, ${columns[index]}: ${word(value, formatFull, note)}`),
      )}
      across={columns.length}
      picture={() =>
        drawnPicture(title, caption, heatOf({ columns, endHeads, rows: shown, steps, format }, PICTURE_ROOM))
      }
    >
      {(active) => (
        <div className={inks.steps}>
          <StepKey names={stepNames(steps, format)} />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
          <section ref={scrollEdges} className={styles.wide} tabIndex={0} aria-label={`${title}: cells`}>
            <table className={styles.heat}>
              <thead>
                <tr>
                  <th scope="col">{head}</th>
                  {[...columns, ...endHeads].map((name, at) => (
                    <th
                      key={name}
                      scope="col"
                      className={at < columns.length ? 'num' : `num ${styles.endHead}`}
                      title={name}
                    >
                      <span>{breakable(name)}</span>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {shown.map((row, index) => (
                  <Row
                    key={row.id}
                    {...{ row, format, columns }}
                    own={row.id === marked}
                    stepsOf={row.cells.map((cell) => stepOfCell(cell, steps))}
                    words={row.cells.map(({ value, note }) => word(value, formatFull, note))}
                    active={active === null ? null : active - index * columns.length}
                  />
                ))}
              </tbody>
            </table>
          </section>
          {shown.length < rows.length ? (
            <button type="button" className={chart.more} onClick={() => setAll(true)}>
              Show all {rows.length.toLocaleString('en-AU')}
            </button>
          ) : null}
        </div>
      )}
    </Picture>
  )
}

interface RowProps {
  row: HeatRow
  columns: readonly string[]
  /** The colour step of each cell. */
  stepsOf: readonly (number | undefined)[]
  /** Each cell in full. */
  words: readonly string[]
  format: Format
  own: boolean
  /** The column reached with arrow keys, if it is in this row. */
  active: number | null
}

function Row({ row, columns, stepsOf: steps, words, format, own, active }: RowProps) {
  return (
    <tr className={own ? styles.own : undefined}>
      <th scope="row" title={row.label}>
        <span>{row.label}</span>
      </th>
      {row.cells.map(({ value, hollow }, index) => (
        <td
          key={columns[index]}
          className={`num ${styles.cell} ${hollow ? styles.hollow : ''}`}
          data-step={steps[index]}
          data-active={active === index || undefined}
          title={`${columns[index]}: ${words[index]}`}
        >
          {value === null ? '–' : format(value)}
        </td>
      ))}
      {row.ends.map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns at the end have no names here
        <td key={index} className={`num ${styles.end}`}>
          {value === null ? '–' : format(value)}
        </td>
      ))}
    </tr>
  )
}
