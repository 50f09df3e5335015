import { type Campaign, campaign as calls } from '@pillar/contract/campaign/campaign'
import { roi } from '@pillar/domain/campaign/campaign-result'
import { intervalWords, reasonSentence, reasonWords } from '@pillar/domain/campaign/result-words'
import {
  type Country,
  formatCounted,
  formatMoney,
  formatNumber,
  formatPercent,
  LOCALES,
} from '@pillar/domain/time/locale'
import { useRead } from '../../../api/client.ts'
import { Change } from '../../../kit/display/figure/Change.tsx'
import { StatCard, StatStrip } from '../../../kit/display/figure/StatCard.tsx'
import { Loaded } from '../../../kit/display/Loaded.tsx'
import { roiText } from '../../attribution/message-words.ts'
import { partPrice } from '../../sending/sms-cost.ts'
import { basisWords, type StatsReply } from '../detail/stats-words.ts'
import styles from './CampaignPage.module.css'

/** The people it reached, its cost, its revenue and how sure that is. */
export function CampaignFigures({ campaign, country }: { campaign: Campaign; country: Country }) {
  const { campaign_id } = campaign
  const stats = useRead(calls.stats, { campaign_id })
  return (
    <Loaded read={stats} what="the figures" rows={1} words="">
      {(figures) => <Figures stats={figures} country={country} />}
    </Loaded>
  )
}

function Figures({ stats, country }: { stats: StatsReply; country: Country }) {
  const result = stats.total_result
  const known = result.reason === null
  const unknown = <span className={styles.unknown}>{reasonWords(result.reason)}</span>
  const why = reasonSentence(country, result.reason, result.n_messaged)
  return (
    <StatStrip paired columns="1fr 1fr 1.4fr 1.2fr 1fr">
      <StatCard label="Patients reached" value={formatNumber(country, stats.total_reach)}>
        <p className={styles.note}>{formatCounted(country, stats.total_messages, 'message', 'messages')} delivered</p>
      </StatCard>
      <StatCard label="Cost" value={formatMoney(country, stats.total_cost, 2)}>
        <p className={styles.note}>Texts at {partPrice(country)} a part, emails free</p>
      </StatCard>
      <StatCard
        label="Revenue added"
        value={known ? formatMoney(country, stats.total_revenue) : unknown}
        beside={known ? <Change country={country} value={stats.total_revenue_change} goodWhen="up" /> : null}
      >
        <p className={styles.note}>
          {known && result.low !== null && result.high !== null
            ? intervalWords(country, result.low, result.high)
            : known
              ? basisWords(country, result)
              : why}
        </p>
      </StatCard>
      <StatCard label="Return" value={known ? roiText(country, stats.total_roi) : unknown}>
        <p className={styles.note}>{known ? returnWords(stats, country) : why}</p>
      </StatCard>
      <StatCard label="Opt-outs" value={formatNumber(country, stats.total_opt_outs)}>
        <p className={styles.note}>{optOutWords(stats, country)}</p>
      </StatCard>
    </StatStrip>
  )
}

/** '1.02% of patients reached'. */
function optOutWords({ total_opt_outs: outs, total_reach: reach }: StatsReply, country: Country): string {
  return reach === 0 ? 'within 30 days' : `${formatPercent(country, outs / reach)} of patients reached`
}

/** 'between 7.0× and 68.4×', or what the return is based on, with any part of the cost it leaves out. */
function returnWords(
  { total_result: { low, high }, total_cost, total_roi_cost: paid }: StatsReply,
  country: Country,
): string {
  const words =
    low === null || high === null || paid === 0
      ? `for each ${LOCALES[country].currencySymbol}1 spent`
      : `between ${roiText(country, roi(low, paid))} and ${roiText(country, roi(high, paid))}`
  const left = total_cost - paid
  return left < 0.005
    ? words
    : `${words}, without ${formatMoney(country, left, 2)} for patients whose revenue cannot be told`
}
