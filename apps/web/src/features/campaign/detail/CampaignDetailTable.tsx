import { type Campaign, campaign as calls } from '@pillar/contract/campaign/campaign'
import { parseDay } from '@pillar/domain/time/day'
import { type Country, formatDate, formatMoney, formatNumber } from '@pillar/domain/time/locale'
import { ArrowDown } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../../../api/client.ts'
import { usePages } from '../../../api/pages.ts'
import { Change } from '../../../kit/display/figure/Change.tsx'
import { Icon } from '../../../kit/display/Icon.tsx'
import { scrollEdges } from '../../../kit/display/scroll-edges.ts'
import { Failed, Loading, NothingMatches } from '../../../kit/display/states.tsx'
import { More, NotReadAgain } from '../../../kit/list/pane/More.tsx'
import { SearchField } from '../../../kit/list/SearchField.tsx'
import { NoResult } from '../../attribution/NoResult.tsx'
import type { Run } from '../../run/run-words.ts'
import styles from './CampaignDetail.module.css'
import { CampaignDetailRow } from './CampaignDetailRow.tsx'
import { basisWords, matchingPharmacies, type StatsReply } from './stats-words.ts'

interface CampaignDetailTableProps {
  campaign: Campaign
  run: Run | null
  country: Country
}

/** The campaign's results at each pharmacy, best revenue first, with TOTAL on top. The next page loads at the end. */
export function CampaignDetailTable({ campaign, run, country }: CampaignDetailTableProps) {
  const [find, setFind] = useState('')
  const { campaign_id } = campaign
  const ids = matchingPharmacies(campaign.locations, find)
  const whole = useRead(calls.stats, { campaign_id }, { staleTime: 0 })
  const pages = usePages(
    calls.stats,
    { campaign_id, ...(ids ? { pharmacy_ids: ids } : {}) },
    ({ pharmacies }) => pharmacies,
    ({ pharmacy_id }) => pharmacy_id,
    { enabled: ids === null || ids.length > 0 },
  )
  const none = ids !== null && ids.length === 0
  const rows = none ? [] : pages.rows
  return (
    <>
      <div className={styles.tableHead}>
        <h4>Pharmacies</h4>
        <span className={styles.sub}>{headWords(whole.data, campaign.locations.length)}</span>
        <SearchField className={styles.search} label="Find a pharmacy" value={find} onChange={setFind} />
        {whole.data ? <Method stats={whole.data} country={country} /> : null}
      </div>
      {rows.length > 0 ? (
        <div ref={scrollEdges} className={styles.tableBox} data-stale={pages.stale || undefined}>
          <NotReadAgain pages={pages} what="the pharmacies" />
          <table className={styles.table} aria-label="Pharmacies">
            <Head />
            <tbody>
              {whole.data ? <Total stats={whole.data} country={country} /> : null}
              {rows.map((row) => (
                <CampaignDetailRow
                  key={row.pharmacy_id}
                  row={row}
                  method={whole.data?.revenue_method ?? null}
                  campaign={campaign}
                  run={run}
                  country={country}
                />
              ))}
            </tbody>
          </table>
          <More pages={pages} />
        </div>
      ) : none || (!pages.loading && !pages.error) ? (
        <NothingMatches
          title={find ? `No pharmacy matches “${find}”` : 'No records found'}
          {...(find ? { onClear: () => setFind('') } : {})}
        />
      ) : pages.error ? (
        <Failed title="Could not load the pharmacies" error={pages.error} onRetry={pages.retry} />
      ) : (
        <Loading />
      )}
    </>
  )
}

function headWords(stats: StatsReply | undefined, pharmacies: number): string {
  const made = stats && stats.total_made_goal > 0 ? `, ${stats.total_made_goal} made their goal` : ''
  return `${pharmacies}${made}`
}

/** The method behind the revenue, its interval, and the age of the sales data. */
function Method({ stats, country }: { stats: StatsReply; country: Country }) {
  const day = stats.data_to === null ? null : parseDay(stats.data_to)
  const parts = [`Revenue: ${basisWords(country, stats.total_result)}`]
  if (day !== null) parts.push(`sales to ${formatDate(country, day)}`)
  return <p className={styles.method}>{parts.join(' · ')}</p>
}

function Head() {
  return (
    <thead>
      <tr>
        <th scope="col">
          <span className="sr">Open</span>
        </th>
        <th scope="col" className="num">
          Rank
        </th>
        <th scope="col">Pharmacy</th>
        <th scope="col" className="num">
          Messages
        </th>
        <th scope="col" className="num">
          Reach
        </th>
        <th scope="col" className="num">
          Cost
        </th>
        <th scope="col" className="num" aria-sort="descending">
          <span className={styles.sorted}>
            <Icon of={ArrowDown} size={14} /> Revenue
          </span>
        </th>
        <th scope="col" className="num">
          Change
        </th>
        <th scope="col">Made Goal</th>
      </tr>
    </thead>
  )
}

function Total({ stats, country }: { stats: StatsReply; country: Country }) {
  return (
    <tr className={styles.total}>
      <td />
      <td />
      <th scope="row">TOTAL</th>
      <td className="num">{formatNumber(country, stats.total_messages)}</td>
      <td className="num">{formatNumber(country, stats.total_reach)}</td>
      <td className="num">{formatMoney(country, stats.total_cost, 2)}</td>
      <td className="num">
        {stats.total_result.reason === null ? (
          formatMoney(country, stats.total_revenue)
        ) : (
          <NoResult country={country} result={stats.total_result} />
        )}
      </td>
      <td className="num">
        <Change country={country} value={stats.total_revenue_change} goodWhen="up" />
      </td>
      <td>
        {stats.total_made_goal} of {stats.total_pharmacies}
      </td>
    </tr>
  )
}
