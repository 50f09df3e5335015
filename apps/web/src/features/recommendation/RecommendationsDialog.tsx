import type { AskOf, ReplyOf } from '@pillar/contract'
import { contract } from '@pillar/contract'
import { useState } from 'react'
import { type Pages, usePages } from '../../api/pages.ts'
import type { DialogProps } from '../../frame/dialog-address.ts'
import { useDialogFilters } from '../../frame/dialog-address.ts'
import { WideDialog } from '../../kit/dialog/WideDialog.tsx'
import { Loading, NothingMatches, NothingYet } from '../../kit/display/states.tsx'
import { Tag } from '../../kit/display/Tag.tsx'
import { Segments } from '../../kit/form/Segments.tsx'
import { ListPane } from '../../kit/list/pane/ListPane.tsx'
import { ListTotal } from '../../kit/list/pane/ListTotal.tsx'
import { TwoPane } from '../../kit/list/pane/TwoPane.tsx'
import { SearchField } from '../../kit/list/SearchField.tsx'
import { useCountry } from '../../session/session.ts'
import styles from '../template/Template.module.css'
import { useFound } from '../template/useTemplates.ts'
import { RecommendDetail } from './RecommendDetail.tsx'
import { type Recommended, recommendationNote } from './recommended.ts'

const TYPES = [
  { value: 'campaign', label: 'Campaigns' },
  { value: 'template', label: 'Templates' },
] as const

const idOf = (row: Recommended) =>
  row.type === 'campaign' ? row.campaign_recommendation_id : row.template_recommendation_id
const campaignsOf = (page: ReplyOf<typeof contract.campaign.recommendations>): readonly Recommended[] => page.campaigns
const templatesOf = (page: ReplyOf<typeof contract.template.recommendations>): readonly Recommended[] => page.templates

function useRecommendations(
  type: 'campaign' | 'template',
  filters: Omit<AskOf<typeof contract.template.recommendations>, 'page'>,
): Pages<Recommended> {
  const enabled = (one: typeof type) => ({ enabled: type === one })
  const campaigns = usePages(contract.campaign.recommendations, filters, campaignsOf, idOf, enabled('campaign'))
  const templates = usePages(contract.template.recommendations, filters, templatesOf, idOf, enabled('template'))
  return type === 'campaign' ? campaigns : templates
}

/** What the form is about, until something else is selected: a search changes only the list beside it, never a form with typed work. */
function useShown(found: Recommended | null, rows: readonly Recommended[], selected: string): Recommended | null {
  const [kept, setKept] = useState<{ selected: string; id: string; row: Recommended } | null>(null)
  if (kept?.selected === selected) return rows.find((one) => idOf(one) === kept.id) ?? kept.row
  if (found) setKept({ selected, id: idOf(found), row: found })
  return found
}

/** Pillar's recommendations, campaigns or templates: a list, and the form that adopts one. */
export function RecommendationsDialog({ search, close, open }: DialogProps) {
  const country = useCountry()
  const type = search.type ?? 'campaign'
  // Not in the address bar, because a search must not ask about unsaved work in the form beside it.
  const [term, setTerm] = useState('')
  const filter = useDialogFilters('recommendations', search)
  const pages = useRecommendations(type, { search_term: term })
  const { row, looking } = useFound(pages, search.recommendation, idOf)
  const found = row ?? (looking ? null : (pages.rows[0] ?? null))
  const shown = useShown(found, pages.rows, `${type} ${search.recommendation ?? ''}`)
  const list = (
    <>
      <div className={styles.tools}>
        <SearchField label={`Find a recommended ${type}`} value={term} onChange={setTerm} />
        <div className={styles.row}>
          <Segments
            label="Type"
            options={TYPES}
            value={type}
            onChange={(value) => filter({ type: value, recommendation: undefined })}
          />
          <ListTotal total={pages.total} one={`recommended ${type}`} many={`recommended ${type}s`} />
        </div>
      </div>
      <ListPane
        label="Recommendations"
        compact
        pages={pages}
        idOf={idOf}
        selected={shown ? idOf(shown) : null}
        onSelect={(id) => filter({ type, recommendation: id })}
        what="the recommendations"
        item={(each) => (
          <span className={styles.recommendation}>
            <span className={styles.grow}>
              <span className={styles.name}>{each.name}</span>
              <span className={styles.about}>{recommendationNote(country, each)}</span>
            </span>
            {each.new ? <Tag tone="info">New</Tag> : null}
            {each.adopted ? <Tag tone="outline">In use</Tag> : null}
          </span>
        )}
        empty={
          term === '' ? (
            <NothingYet title="No new recommended campaigns / templates" />
          ) : (
            <NothingMatches onClear={() => setTerm('')} />
          )
        }
      />
    </>
  )
  return (
    <WideDialog opened onClose={close} title="Recommendations">
      <TwoPane
        list={list}
        listLabel="List of recommendations"
        detailLabel="Recommendation"
        showDetail={search.recommendation !== undefined && shown !== null}
        onBack={() => filter({ recommendation: undefined })}
        detail={
          shown ? (
            <RecommendDetail key={idOf(shown)} recommended={shown} open={open} close={close} />
          ) : looking ? (
            <Loading rows={4} />
          ) : null
        }
      />
    </WideDialog>
  )
}
