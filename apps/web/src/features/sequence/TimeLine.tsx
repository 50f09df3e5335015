import { Button } from '@mantine/core'
import type { AdminPharmacySequence } from '@pillar/contract/sequence/pharmacy-sequence-read'
import { timeLineTitle } from '@pillar/domain/campaign/time-line'
import { formatNumber, formatPercent } from '@pillar/domain/time/locale'
import { Pencil, Table2, Waypoints, Zap } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { DownloadMenu } from '../../kit/chart/DownloadMenu.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import { useCountry } from '../../session/session.ts'
import type { Stats } from './sequence-stats.ts'
import styles from './TimeLine.module.css'
import { TimeLineEditor } from './TimeLineEditor.tsx'
import { TimeLineStep } from './TimeLineStep.tsx'
import { TimeLineTable } from './TimeLineTable.tsx'
import { figuresOf, pictureOf } from './time-line-parts.ts'

interface TimeLineProps {
  sequence: AdminPharmacySequence
  stats: Stats
}

/** The event, then each follow-up on its day: its text, what happened to everybody there, and when somebody enrolled today would get it. */
export function TimeLine({ sequence, stats }: TimeLineProps) {
  const country = useCountry()
  const [mode, setMode] = useState<'picture' | 'table' | 'edit'>('picture')
  const live = stats.steps.filter((step) => !step.removed)
  const percent = (share: number) => formatPercent(country, share)
  return (
    <section className={styles.section} aria-label="Time line">
      <header className={styles.head}>
        <div>
          <h3>{timeLineTitle(live, percent)}</h3>
          <p>
            What happens when? Bars share one scale, {formatNumber(country, stats.started)} started; days are counted
            from the event.
          </p>
        </div>
        {mode === 'edit' ? null : (
          <div className={styles.tools}>
            <Button
              size="xs"
              leftSection={<Icon of={mode === 'table' ? Waypoints : Table2} size={14} />}
              onClick={() => setMode(mode === 'table' ? 'picture' : 'table')}
            >
              {mode === 'table' ? 'Show as time line' : 'Show as table'}
            </Button>
            <DownloadMenu
              title={`${sequence.title}: time line`}
              figures={figuresOf(stats)}
              picture={() => pictureOf(timeLineTitle(live, percent), sequence, stats)}
            />
            <Button size="xs" leftSection={<Icon of={Pencil} size={14} />} onClick={() => setMode('edit')}>
              Edit follow-ups
            </Button>
          </div>
        )}
      </header>
      {mode === 'edit' ? (
        <TimeLineEditor sequence={sequence} stats={stats} onClose={() => setMode('picture')} />
      ) : mode === 'table' ? (
        <TimeLineTable stats={stats} />
      ) : (
        <Picture sequence={sequence} stats={stats} />
      )}
    </section>
  )
}

/** The line itself. Arrow keys move from one point to the next. */
function Picture({ sequence, stats }: TimeLineProps) {
  const country = useCountry()
  const live = stats.steps.filter((step) => !step.removed)
  const gone = stats.steps.filter((step) => step.removed)
  return (
    <>
      <ol className={styles.line} onKeyDown={betweenPoints}>
        <li className={styles.step}>
          <div className={styles.day}>
            <b>Day 0</b>
            <small>event</small>
          </div>
          <div className={styles.axis}>
            <span className={`${styles.point} ${styles.event}`}>
              <Icon of={Zap} size={15} />
            </span>
          </div>
          <div className={styles.what}>
            <b>{sequence.sequence_event.name}</b>
          </div>
          <div className={styles.counts}>
            <div className={styles.bar} role="img" aria-label={`Started ${stats.started}`}>
              <i className={styles.started} style={{ width: stats.started === 0 ? 0 : '100%' }} />
            </div>
            <p className={styles.key}>
              <span>
                <i className={styles.started} /> Started <b>{formatNumber(country, stats.started)}</b>
              </span>
            </p>
          </div>
        </li>
        {live.map((step, index) => (
          <TimeLineStep
            key={step.follow_up_id}
            step={step}
            stats={stats}
            sequence={sequence}
            before={live[index - 1]?.days_after ?? 0}
          />
        ))}
      </ol>
      {gone.length > 0 ? (
        <>
          <h4 className={styles.gone}>Removed follow-ups</h4>
          <ol className={styles.line} onKeyDown={betweenPoints}>
            {gone.map((step) => (
              <TimeLineStep key={step.follow_up_id} step={step} stats={stats} sequence={sequence} before={null} />
            ))}
          </ol>
        </>
      ) : null}
    </>
  )
}

function betweenPoints(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  const points = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-point]')]
  const at = points.indexOf(document.activeElement as HTMLElement)
  const next = points[at + step]
  if (step === 0 || at < 0 || !next) return
  event.preventDefault()
  next.focus()
}
