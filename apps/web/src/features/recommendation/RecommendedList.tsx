import { campaign } from '@pillar/contract/campaign/campaign'
import type { CampaignRecommendation } from '@pillar/contract/campaign/recommendation'
import { type TemplateRecommendation, template } from '@pillar/contract/template/template'
import { type Country, formatNumber } from '@pillar/domain/time/locale'
import { ChevronRight, MessageSquareText, Send } from 'lucide-react'
import { useRead } from '../../api/client.ts'
import type { OpenDialog } from '../../frame/dialog-address.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { Failed, Loading, NothingYet } from '../../kit/display/states.tsx'
import { Tag } from '../../kit/display/Tag.tsx'
import styles from '../campaign/CampaignLists.module.css'
import { type Recommended, recommendationNote, shownFirst } from './recommended.ts'

/** How many the page shows; 'See all' has the rest. */
const SHOWN = 3

/** Recommended campaigns and templates that the company does not use yet, new ones first. */
export function RecommendedList({ country, open }: { country: Country; open: OpenDialog }) {
  const campaigns = useRead(campaign.recommendations, { page: 1, search_term: '', new: true })
  const templates = useRead(template.recommendations, { page: 1, search_term: '', new: true })
  const rows = shownFirst<CampaignRecommendation | TemplateRecommendation>([
    ...(campaigns.data?.campaigns ?? []),
    ...(templates.data?.templates ?? []),
  ])
  const total = (campaigns.data?.total ?? 0) + (templates.data?.total ?? 0)
  const news = rows.filter((row) => row.new).length
  const failed = [campaigns, templates].filter((query) => query.isError && !query.data)
  const retry = () => {
    for (const query of failed) void query.refetch()
  }
  return (
    <section className={styles.recommended} aria-labelledby="recommended">
      <header className={styles.head}>
        <h2 id="recommended">Recommended by Pillar</h2>
        {news > 0 ? <Tag tone="info">{formatNumber(country, news)} new</Tag> : null}
        <button type="button" className={styles.all} onClick={() => open('recommendations', { type: 'campaign' })}>
          {total > 0 ? `See all ${formatNumber(country, total)}` : 'See all'}
        </button>
      </header>
      {campaigns.isPending || templates.isPending ? (
        <Loading rows={SHOWN} />
      ) : failed.length === 2 ? (
        <Failed title="Could not load the recommendations" error={campaigns.error} onRetry={retry} />
      ) : rows.length === 0 && failed.length === 0 ? (
        <NothingYet title="No new recommended campaigns / templates" />
      ) : (
        <ul>
          {rows.slice(0, SHOWN).map((row) => (
            <li key={`${row.type}-${idOf(row)}`}>
              <Row row={row} country={country} open={open} />
            </li>
          ))}
        </ul>
      )}
      {failed.length === 1 ? (
        <Failed
          title={campaigns.isError ? 'Could not load recommended campaigns' : 'Could not load recommended templates'}
          error={failed[0]?.error ?? null}
          onRetry={retry}
        />
      ) : null}
    </section>
  )
}

function idOf(row: CampaignRecommendation | TemplateRecommendation): string {
  return row.type === 'campaign' ? row.campaign_recommendation_id : row.template_recommendation_id
}

function Row({ row, country, open }: { row: Recommended; country: Country; open: OpenDialog }) {
  return (
    <button
      type="button"
      className={styles.row}
      onClick={() => open('recommendations', { type: row.type, recommendation: idOf(row) })}
    >
      <span className={styles.picture}>
        <Icon of={row.type === 'campaign' ? Send : MessageSquareText} />
      </span>
      <span className={styles.words}>
        <b>{row.name}</b>
        <span>{recommendationNote(country, row)}</span>
      </span>
      {row.new ? <Tag tone="info">New</Tag> : null}
      <Icon of={ChevronRight} />
    </button>
  )
}
