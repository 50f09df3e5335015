import { ActionIcon, Button } from '@mantine/core'
import type { Campaign } from '@pillar/contract/campaign/campaign'
import type { CampaignStats } from '@pillar/contract/campaign/campaign-stats'
import { type Country, formatMoney, formatNumber } from '@pillar/domain/time/locale'
import { ChevronDown, ChevronRight, CircleCheck, CirclePause, Play } from 'lucide-react'
import { useId, useState } from 'react'
import { PharmacyLink } from '../../../frame/PharmacyLink.tsx'
import { Change } from '../../../kit/display/figure/Change.tsx'
import { ProgressBar } from '../../../kit/display/figure/ProgressBar.tsx'
import { Icon } from '../../../kit/display/Icon.tsx'
import { Status } from '../../../kit/display/status.tsx'
import { showOpened } from '../../../kit/list/page/opened-row.ts'
import { rankText } from '../../attribution/message-words.ts'
import { NoResult } from '../../attribution/NoResult.tsx'
import { useRunActs } from '../../run/RunPanel.tsx'
import type { Run } from '../../run/run-words.ts'
import { toSend } from '../../run/run-words.ts'
import styles from './CampaignDetail.module.css'
import { basisWords, statsFigures } from './stats-words.ts'

interface CampaignDetailRowProps {
  row: CampaignStats
  /** The method behind the campaign's revenue; a pharmacy whose figure uses another method names it. */
  method: CampaignStats['revenue_method']
  campaign: Campaign
  run: Run | null
  country: Country
}

/** A pharmacy's row; when opened, its figures, the states of its messages, and a way to stop only this pharmacy. */
export function CampaignDetailRow({ row, method, campaign, run, country }: CampaignDetailRowProps) {
  const id = useId()
  const [open, setOpen] = useState(false)
  return (
    <>
      <tr className={open ? styles.open : undefined}>
        <td>
          <ActionIcon
            aria-expanded={open}
            aria-controls={open ? id : undefined}
            aria-label={`${open ? 'Close' : 'Open'} ${row.pharmacy_name}`}
            size={28}
            onClick={({ currentTarget }) => {
              setOpen(!open)
              if (!open) showOpened(currentTarget.closest('tr')!)
            }}
          >
            <Icon of={open ? ChevronDown : ChevronRight} />
          </ActionIcon>
        </td>
        <td className="num faint">{rankText(country, row)}</td>
        <th scope="row">
          <PharmacyLink id={row.pharmacy_id} name={row.pharmacy_name} />
        </th>
        <td className="num">{formatNumber(country, row.messages)}</td>
        <td className="num">{formatNumber(country, row.reach)}</td>
        <td className="num">{formatMoney(country, row.cost, 2)}</td>
        <td className="num">
          {row.result.reason === null ? (
            formatMoney(country, row.revenue)
          ) : (
            <NoResult country={country} result={row.result} />
          )}
          {row.revenue_method && row.revenue_method !== method ? (
            <span className={styles.estimate}>estimate</span>
          ) : null}
        </td>
        <td className="num">
          <Change country={country} value={row.revenue_change} goodWhen="up" />
        </td>
        <td>
          {row.made_goal ? (
            <span className={styles.made}>
              <Icon of={CircleCheck} /> Yes
            </span>
          ) : (
            <span className="faint">Not yet</span>
          )}
        </td>
      </tr>
      {open ? (
        <tr className={styles.more} id={id}>
          <td colSpan={9}>
            <dl className={styles.figures}>
              {statsFigures(row, campaign, country).map(({ label, value }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            <p className={styles.method}>Revenue: {basisWords(country, row.result)}</p>
            <Sending row={row} campaign={campaign} run={run} country={country} />
          </td>
        </tr>
      ) : null}
    </>
  )
}

/** The states of this pharmacy's messages; while the run is going, it can be stopped alone. */
function Sending({ row, campaign, run, country }: Omit<CampaignDetailRowProps, 'method'>) {
  const acts = useRunActs(campaign, country)
  const live = run?.pharmacies.find(({ pharmacy_id }) => pharmacy_id === row.pharmacy_id)
  const { progress, stopped } = live ?? row
  const left = toSend(progress)
  const running = run?.state === 'sending' || run?.state === 'holding'
  return (
    <div className={styles.sending}>
      <div className={styles.where}>
        <ProgressBar country={country} counts={progress} />
      </div>
      {stopped && left > 0 ? (
        <>
          <Status word="Stopped" />
          <Button
            size="xs"
            leftSection={<Icon of={Play} size={14} />}
            loading={acts.resuming}
            onClick={() => void acts.resume(row.pharmacy_id, left)}
          >
            Resume this pharmacy…
          </Button>
        </>
      ) : running && left > 0 ? (
        <Button
          size="xs"
          leftSection={<Icon of={CirclePause} size={14} />}
          loading={acts.stopping}
          onClick={() => acts.stop(row.pharmacy_id)}
        >
          Stop this pharmacy
        </Button>
      ) : null}
    </div>
  )
}
