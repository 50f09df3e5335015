import { plural, sureText } from '@pillar/domain/figure/format'
import { capital } from '@pillar/domain/text/sentence'
import type { Country } from '@pillar/domain/time/locale'
import { Segments } from '../../../kit/form/Segments.tsx'
import { NONE, unitText } from '../figures.ts'
import type { TableReply } from '../table/table-model.ts'
import styles from './SidePanel.module.css'

interface RankPanelProps {
  reply: TableReply
  country: Country
  rank: 'best' | 'worst'
  onRank: (rank: 'best' | 'worst') => void
}

const COUNT_WORDS = ['none', 'one', 'two', 'three', 'four', 'five']

/** The subcategories with the highest and lowest share of adherent scripts, with their revenue and pooled total. */
export function RankPanel({ reply, country, rank, onRank }: RankPanelProps) {
  const { categories } = rankedOf(reply, rank)
  const name = plural(reply.category)
  return (
    <section className={styles.section}>
      <div className={styles.title}>
        <h2>{`${name[0]?.toUpperCase()}${name.slice(1)} by adherence`}</h2>
        <Segments
          label="Best or worst"
          kind="tabs"
          panelId="rank-panel"
          options={[
            { value: 'best', label: 'Best' },
            { value: 'worst', label: 'Worst' },
          ]}
          value={rank}
          onChange={onRank}
        />
      </div>
      <div id="rank-panel" role="tabpanel" aria-label={rank === 'best' ? 'Best' : 'Worst'}>
        {categories.length === 0 ? (
          <p className={styles.none}>Nothing to rank: each needs at least 30 measured.</p>
        ) : (
          <>
            <RankTable {...{ reply, country, rank }} />
            <p className={styles.order}>
              Share of scripts from adherent patients. Ordered by the {rank === 'best' ? 'lower' : 'upper'} end of each
              range, so that a few patients do not decide a place.
            </p>
          </>
        )}
      </div>
    </section>
  )
}

const rankedOf = (reply: TableReply, rank: 'best' | 'worst') =>
  rank === 'best' ? reply.best_categories : reply.worst_categories

/** 'Between 70.0% and 85.0%, from 34 measured'. */
function sureOf(
  one: Omit<TableReply['best_categories']['total'], 'revenue_value'>,
  country: Country,
): string | undefined {
  const { adherent_script_percent: value, adherence_n: n, adherence_low: low, adherence_high: high } = one
  const text = sureText(country, { value, n, low, high }, 'measured')
  return text === null ? undefined : capital(text)
}

function RankTable({ reply, country, rank }: Omit<RankPanelProps, 'onRank'>) {
  const { categories, total } = rankedOf(reply, rank)
  const money = (value: number) => unitText(country, 'money', value, 'short')
  const count = COUNT_WORDS[categories.length] ?? String(categories.length)
  return (
    <table className={styles.ranks} aria-label={rank === 'best' ? 'Best by adherence' : 'Worst by adherence'}>
      <colgroup>
        <col />
        <col style={{ width: 56 }} />
        <col style={{ width: 62 }} />
        <col style={{ width: 60 }} />
      </colgroup>
      <thead className="sr">
        <tr>
          <th scope="col">{reply.category}</th>
          <th scope="col">Share of scripts from adherent patients</th>
          <th scope="col">Revenue</th>
        </tr>
      </thead>
      <tbody>
        {categories.map(({ category, adherent_script_percent: share, revenue_value: revenue, ...sure }) => (
          <tr key={category} title={sureOf({ adherent_script_percent: share, ...sure }, country)}>
            <th scope="row">{category}</th>
            <td className={styles.meter} aria-hidden>
              <span>
                <i style={{ width: `${share * 100}%` }} />
                <b style={{ left: `${sure.adherence_low * 100}%`, right: `${100 - sure.adherence_high * 100}%` }} />
              </span>
            </td>
            <td className="num">{unitText(country, 'fraction', share)}</td>
            <td className="num muted">{money(revenue)}</td>
          </tr>
        ))}
        <tr className={styles.sum} title={sureOf(total, country)}>
          <th scope="row">{`${rank === 'best' ? 'Best' : 'Worst'} ${count}`}</th>
          <td aria-hidden />
          <td className="num">
            {total.adherent_script_percent === null
              ? NONE
              : unitText(country, 'fraction', total.adherent_script_percent)}
          </td>
          <td className="num">{money(total.revenue_value)}</td>
        </tr>
      </tbody>
    </table>
  )
}
