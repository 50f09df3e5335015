import { FAULTY_RANK } from '@pillar/domain/upload/faulty-upload'
import { Doughnut } from '../../kit/chart/Doughnut.tsx'
import { DownloadMenu } from '../../kit/chart/DownloadMenu.tsx'
import { barsPicture } from '../../kit/chart/picture.ts'
import { statusWord } from '../../kit/display/status.tsx'
import type { FaultyAnswer } from './faulty-search.ts'
import { STATE_COLOURS, sourceName } from './faulty-words.ts'
import styles from './Upload.module.css'

/** Sources shown by name; the others share one bar. */
const SHOWN = 5

/** The pharmacies by state, and by dispensing system. */
export function FaultyPictures({ answer }: { answer: FaultyAnswer }) {
  const states = answer.breakdown.states.toSorted((a, b) => FAULTY_RANK[b.state] - FAULTY_RANK[a.state])
  const total = states.reduce((sum, { count }) => sum + count, 0)
  const words = total === 1 ? '1 pharmacy needs attention' : `${total} pharmacies need attention`
  const named = answer.breakdown.sources.slice(0, SHOWN)
  const others = answer.breakdown.sources.slice(SHOWN)
  const rest = others.reduce((sum, { count }) => sum + count, 0)
  const bars = [
    ...named.map(({ data_source, count }) => ({ label: sourceName(data_source), count })),
    ...(rest > 0
      ? [{ label: others.length === 1 ? sourceName(others[0]!.data_source) : `Other ${others.length}`, count: rest }]
      : []),
  ]
  const most = Math.max(1, ...bars.map(({ count }) => count))
  return (
    <>
      <Doughnut
        title={words}
        head="Status"
        of={total === 1 ? 'pharmacy' : 'pharmacies'}
        parts={states.map(({ state, count }) => ({
          ...{ label: statusWord(state), value: count, colour: STATE_COLOURS[state] },
        }))}
      />
      {bars.length === 0 ? null : (
        <section className={styles.sources} aria-label="By dispensing software">
          <header>
            <h2>By dispensing software</h2>
            <DownloadMenu
              title="Pharmacies that need attention by dispensing software"
              figures={{
                heads: ['Dispensing software', 'Pharmacies'],
                rows: bars.map((bar) => [bar.label, bar.count]),
              }}
              picture={() => barsPicture('By dispensing software', words, most, bars.map(rowOf))}
            />
          </header>
          <dl>
            {bars.map(({ label, count }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  <i style={{ width: `${(count / most) * 100}%` }} aria-hidden />
                  <b>{count}</b>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </>
  )
}

const rowOf = ({ label, count }: { label: string; count: number }) => ({
  ...{ label, note: String(count) },
  parts: [{ label: 'Pharmacies', value: count, colour: '--d1' }],
})
