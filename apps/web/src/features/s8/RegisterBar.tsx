import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import { formatCounted, formatNumber } from '@pillar/domain/time/locale'
import { ShieldAlert, ShieldCheck } from 'lucide-react'
import { useWrite } from '../../api/client.ts'
import { momentIn } from '../../kit/display/dates.ts'
import { LedgerBar } from '../../kit/display/figure/LedgerBar.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import { Tag } from '../../kit/display/Tag.tsx'
import { toast, toastFailure } from '../../kit/display/toast.tsx'
import { useCountry } from '../../session/session.ts'
import { failureWords } from '../../shared/refused.ts'
import type { S8Info } from './register-frame.ts'
import styles from './S8.module.css'

/** The state of the products' stock counts, and whether the register is unaltered. */
export function RegisterBar({ info }: { info: S8Info }) {
  const country = useCountry()
  const { counted, overdue, never } = info.products
  const number = (value: number) => formatNumber(country, value)
  return (
    <section className={styles.bar} aria-label="State of the register">
      <b>Stocktake, every {info.warning_days === 1 ? 'day' : `${info.warning_days} days`}</b>
      <div className={styles.ledger}>
        <LedgerBar
          parts={[
            { label: 'Counted', value: counted, text: number(counted), tone: 'good' },
            { label: 'Overdue', value: overdue, text: number(overdue), tone: 'd2' },
            { label: 'Never counted', value: never, text: number(never), tone: 'bad' },
          ]}
        />
      </div>
      <RegisterCheck info={info} />
    </section>
  )
}

function RegisterCheck({ info: { id, check, location } }: { info: S8Info }) {
  const country = useCountry()
  const again = useWrite(contract.s8.check)
  const run = async () => {
    try {
      const { fault, entries } = await again.mutateAsync({ location_uuid: id })
      toast(
        fault === null
          ? `${formatCounted(country, entries, 'entry', 'entries')} checked: the register is intact`
          : fault,
      )
    } catch (error) {
      toastFailure(failureWords('The register was not checked.', error))
    }
  }
  const when = check.checked_at ? momentIn(country, location.time_zone, check.checked_at) : null
  return (
    <span className={styles.check}>
      {check.fault ? (
        <>
          <Tag tone="bad" icon={ShieldAlert}>
            Register altered
          </Tag>
          <span>{check.fault}</span>
        </>
      ) : when ? (
        <span className={styles.withIcon}>
          <Icon of={ShieldCheck} />
          <span>
            Register intact: {formatCounted(country, check.entries, 'entry', 'entries')} checked {when}
          </span>
        </span>
      ) : (
        <span className="muted">Register not checked yet</span>
      )}
      <Button size="xs" variant="subtle" loading={again.isPending} onClick={() => void run()}>
        Check now
      </Button>
    </span>
  )
}
