import { Button } from '@mantine/core'
import { type Campaign, campaign as calls } from '@pillar/contract/campaign/campaign'
import { type Country, formatNumber } from '@pillar/domain/time/locale'
import { CirclePause, Download, FlaskConical, Play, Undo2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useWrite } from '../../api/client.ts'
import { sendForFile } from '../../api/file.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { Failed } from '../../kit/display/states.tsx'
import { toast, toastFailure } from '../../kit/display/toast.tsx'
import { useFile } from '../../kit/display/useFile.ts'
import { failureWords } from '../../shared/refused.ts'
import styles from './Run.module.css'
import { isLive, type Run, runWords, toSend } from './run-words.ts'

interface RunPanelProps {
  campaign: Pick<Campaign, 'campaign_id' | 'name'>
  run: Run
  country: Country
  /** The reason it was held back already stands elsewhere, with what to do. */
  reasonShown?: boolean
}

/** The newest run: its countdown with cancel, its present state, why people were left out, and the recipients. */
export function RunPanel({ campaign, run, country, reasonShown = false }: RunPanelProps) {
  const now = useClock(isLive(run))
  const acts = useRunActs(campaign, country)
  const words = reasonShown && run.held_reason ? null : runWords(run, now, country)
  const id = campaign.campaign_id
  const waiting = run.state === 'holding' || run.state === 'preparing'
  return (
    <section className={styles.panel} aria-label="Sending">
      <div className={styles.line}>
        {words ? (
          <p className={styles.words} role={isLive(run) ? 'timer' : 'status'}>
            {words}
          </p>
        ) : null}
        <div className={styles.acts}>
          {waiting ? (
            <Button leftSection={<Icon of={Undo2} />} loading={acts.stopping} onClick={() => acts.stop(null)}>
              Cancel sending
            </Button>
          ) : run.state === 'sending' ? (
            <Button leftSection={<Icon of={CirclePause} />} loading={acts.stopping} onClick={() => acts.stop(null)}>
              Stop all
            </Button>
          ) : run.state === 'stopped' ? (
            <Button
              leftSection={<Icon of={Play} />}
              loading={acts.resuming}
              onClick={() => acts.resume(null, toSend(run.progress))}
            >
              Resume…
            </Button>
          ) : null}
          {waiting ? null : <RunFile id={id} />}
        </div>
      </div>
      <div className={styles.below}>
        <RunReasons run={run} country={country} />
        {run.simulated ? (
          <p className={styles.simulated}>
            <Icon of={FlaskConical} size={14} /> Test mode: no texts are sent.
          </p>
        ) : null}
      </div>
    </section>
  )
}

/** The current time, updated every second while something counts down or moves. */
function useClock(ticking: boolean): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    if (!ticking) return
    const timer = setInterval(() => setNow(new Date()), 1000)
    return () => clearInterval(timer)
  }, [ticking])
  return now
}

/** Stopping never needs a password; resuming does. Both work for the whole run (null) or one pharmacy. */
export function useRunActs(campaign: Pick<Campaign, 'campaign_id' | 'name'>, country: Country) {
  const stop = useWrite(calls.stop)
  const left = useRef(0)
  const id = campaign.campaign_id
  const messages = (count: number) => `${formatNumber(country, count)} ${count === 1 ? 'message' : 'messages'}`
  const resume = useWrite(calls.resume, {
    ask: () => ({
      title: `Resume sending “${campaign.name}”?`,
      consequence: `${formatNumber(country, left.current)} unsent ${left.current === 1 ? 'message' : 'messages'} will be sent. Nobody gets the same message twice.`,
      button: `Send ${messages(left.current)}`,
      note: 'You can stop it at any time.',
    }),
  })
  return {
    stopping: stop.isPending,
    resuming: resume.isPending,
    stop: (pharmacyId: string | null) => {
      if (stop.isPending) return
      stop.mutate(pharmacyId === null ? { id } : { id, pharmacy_ids: [pharmacyId] }, {
        onSuccess: ({ left }) => toast(`Stopped. ${messages(left)} will not be sent unless you resume.`),
        onError: (error) => toastFailure(failureWords('Sending was not stopped.', error)),
      })
    },
    resume: (pharmacyId: string | null, unsent: number) => {
      left.current = unsent
      resume.mutate(pharmacyId === null ? { id } : { id, pharmacy_ids: [pharmacyId] }, {
        onSuccess: (done) => done && toast('Sending resumed'),
        onError: (error) => toastFailure(failureWords('Sending was not resumed.', error)),
      })
    },
  }
}

function RunFile({ id }: { id: string }) {
  const { busy, save } = useFile(() => sendForFile(calls.runCsv, { id }))
  return (
    <Button variant="subtle" leftSection={<Icon of={Download} />} loading={busy} onClick={save}>
      Download recipients
    </Button>
  )
}

/** Why people were left out, before and during sending, in plain words; each list adds up to its sum. */
function RunReasons({ run, country }: { run: Run; country: Country }) {
  const lists = [
    { title: 'Held back', reasons: run.skipped, sum: run.progress.skipped },
    { title: 'Failed', reasons: run.failed, sum: run.progress.failed },
  ].filter(({ sum }) => sum > 0)
  if (lists.length === 0) return null
  const said = lists.map(({ title, sum }) => `${title.toLowerCase()} ${formatNumber(country, sum)}`).join(', ')
  return (
    <details className={styles.reasons}>
      <summary>Why: {said}</summary>
      <div className={styles.lists}>
        {lists.map(({ title, reasons, sum }) => (
          <dl key={title}>
            <div className={styles.sum}>
              <dt>{title} because</dt>
              <dd>{formatNumber(country, sum)}</dd>
            </div>
            {reasons.map(({ reason, text, count }) => (
              <div key={reason}>
                <dt>{text}</dt>
                <dd>{formatNumber(country, count)}</dd>
              </div>
            ))}
          </dl>
        ))}
      </div>
    </details>
  )
}

/** Shown instead of the panel while the run cannot be read. */
export function RunFailed({ error, onRetry }: { error: { message: string }; onRetry: () => void }) {
  return <Failed title="Couldn't load sending status" error={error} onRetry={onRetry} />
}
