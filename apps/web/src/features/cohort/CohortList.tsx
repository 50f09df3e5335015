import { Button } from '@mantine/core'
import { campaign } from '@pillar/contract/campaign/campaign'
import type { CohortForecast } from '@pillar/contract/campaign/cohort'
import { parseDay } from '@pillar/domain/time/day'
import { type Country, formatDate, formatNumber, NO_VALUE } from '@pillar/domain/time/locale'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { download } from '../../api/download.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import { scrollEdges } from '../../kit/display/scroll-edges.ts'
import styles from './CohortList.module.css'
import { moneyOfCents } from './forecast-words.ts'
import { type CohortAsk, cohortInput } from './useCohort.ts'

interface CohortListProps {
  ledger: CohortForecast
  ask: CohortAsk
  country: Country
  onClose: () => void
}

/** The same sums for each pharmacy, and a file with the reasons, without names. */
export function CohortList({ ledger, ask, country, onClose }: CohortListProps) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const save = async () => {
    setBusy(true)
    setError(null)
    try {
      const file = await send(campaign.cohortCsv, cohortInput(ask))
      download(file.filename, file.text)
    } catch (thrown) {
      setError(`The file was not made. ${thrown instanceof Error ? thrown.message : String(thrown)}`)
    }
    setBusy(false)
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      size="M"
      title="Cohort by pharmacy"
      error={error}
      footLeft={<span className="muted">The file holds every reason, and no names.</span>}
      foot={
        <>
          <Button leftSection={<Icon of={Download} />} loading={busy} onClick={() => void save()}>
            Download CSV
          </Button>
          <Button variant="filled" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <Sums ledger={ledger} country={country} />
    </Dialog>
  )
}

/** What each pharmacy adds to the cohort, under the total. */
function Sums({ ledger, country }: Pick<CohortListProps, 'ledger' | 'country'>) {
  const number = (value: number) => formatNumber(country, value)
  return (
    <div ref={scrollEdges} className={styles.tableBox}>
      <table className={styles.table}>
        <Head />
        <tbody>
          <tr className={styles.totalRow}>
            <th scope="row">TOTAL</th>
            <td className="num">{number(ledger.selected)}</td>
            <td className="num">{number(ledger.held_back)}</td>
            <td className="num">{number(ledger.will_receive)}</td>
            <td className="num">{moneyOfCents(ledger.cents, country)}</td>
            <td />
          </tr>
          {ledger.pharmacies.map((pharmacy) => (
            <tr key={pharmacy.pharmacy_id}>
              <th scope="row">
                {pharmacy.pharmacy_name}
                <span className={styles.why}>{whyWords(pharmacy.reasons, country)}</span>
              </th>
              <td className="num">{number(pharmacy.selected)}</td>
              <td className="num">{number(pharmacy.held_back)}</td>
              <td className="num">{number(pharmacy.will_receive)}</td>
              <td className="num">{moneyOfCents(pharmacy.cents, country)}</td>
              <td className="num">{dayWords(pharmacy.data_to, country)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Head() {
  return (
    <thead>
      <tr>
        <th scope="col">Pharmacy</th>
        <th scope="col" className="num">
          Match
        </th>
        <th scope="col" className="num">
          Held back
        </th>
        <th scope="col" className="num">
          Receive
        </th>
        <th scope="col" className="num">
          Cost
        </th>
        <th scope="col" className="num">
          Data to
        </th>
      </tr>
    </thead>
  )
}

function whyWords(reasons: CohortForecast['reasons'], country: Country): string {
  return reasons
    .filter(({ count }) => count > 0)
    .map(({ text, count }) => `${text} ${formatNumber(country, count)}`)
    .join(', ')
}

function dayWords(text: string | null, country: Country): string {
  const day = text === null ? null : parseDay(text)
  return day === null ? NO_VALUE : formatDate(country, day)
}
