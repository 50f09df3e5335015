import { Button } from '@mantine/core'
import { contract, type ReplyOf } from '@pillar/contract'
import { CircleCheck, CircleX, ShieldCheck } from 'lucide-react'
import { useRead, useWrite } from '../../api/client.ts'
import { momentOf } from '../../kit/display/dates.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { notLoaded } from '../../kit/display/Loaded.tsx'
import { start } from '../../kit/list/acts.tsx'
import { useCountry } from '../../session/session.ts'
import styles from './Audit.module.css'
import { wholeWords } from './audit-words.ts'

type Reply = ReplyOf<typeof contract.audit.status>

const POLL_MS = 1500
const isRunning = (answer: Reply | undefined) => Boolean(answer?.running_since)

/** When the chains were last verified, the result, and a button to verify now. */
export function AuditStatus() {
  const read = useRead(
    contract.audit.status,
    {},
    { every: (data) => (isRunning(data) ? POLL_MS : false), staleTime: 0 },
  )
  const verify = useWrite(contract.audit.verify)
  const running = isRunning(read.data) || verify.isPending
  return (
    <div className={styles.status} aria-live="polite">
      {read.error ? (
        <p className={styles.broken}>{notLoaded('when the audit was last verified', { ...read, data: undefined })}</p>
      ) : (
        <Verdict last={read.data?.last} />
      )}
      <Button
        size="xs"
        leftSection={<Icon of={ShieldCheck} />}
        loading={running}
        disabled={running}
        onClick={() => start({ run: () => verify.mutateAsync({}) })}
      >
        {running ? 'Verifying...' : 'Verify now'}
      </Button>
    </div>
  )
}

function Verdict({ last }: { last: Reply['last'] | undefined }) {
  const country = useCountry()
  if (last === undefined) return <p>…</p>
  if (last === null) return <p>Not verified yet. It is verified once a day.</p>
  const when = momentOf(country, last.ended_at)
  if (last.failure) {
    return (
      <p className={styles.broken}>
        <Icon of={CircleX} /> Could not be verified on {when}. {last.failure}
      </p>
    )
  }
  if (last.faults.length > 0) {
    return (
      <div className={styles.broken} role="alert">
        <Icon of={CircleX} /> Verified {when}: not as it was written.
        <ul>
          {last.faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      </div>
    )
  }
  return (
    <p>
      <span className={styles.good}>
        <Icon of={CircleCheck} />
      </span>{' '}
      Verified {when}: {wholeWords(last, country)}
    </p>
  )
}
