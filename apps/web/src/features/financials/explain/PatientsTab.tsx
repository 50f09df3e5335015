import { Button } from '@mantine/core'
import type { ReplyOf } from '@pillar/contract'
import { financials } from '@pillar/contract/financials'
import { LEVEL_NAMES, type Level } from '@pillar/domain/dispensing/adherence'
import { shareText } from '@pillar/domain/figure/format'
import { MIN_SHARE_N } from '@pillar/domain/figure/interval'
import { parseDay } from '@pillar/domain/time/day'
import { type Country, formatCounted, formatDate, formatSpan } from '@pillar/domain/time/locale'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../../../api/client.ts'
import { Icon } from '../../../kit/display/Icon.tsx'
import { Loaded } from '../../../kit/display/Loaded.tsx'
import { scrollEdges } from '../../../kit/display/scroll-edges.ts'
import { NothingYet } from '../../../kit/display/states.tsx'
import { NONE, unitText } from '../figures.ts'
import styles from './Explain.module.css'
import type { ExplainTarget, Where } from './explain-target.ts'

type Reply = ReplyOf<typeof financials.adherenceDetail>

interface PatientsTabProps {
  pharmacyId: string
  target: ExplainTarget
  where: Where
}

/** The patient and medicine rows behind one pharmacy's adherence, with sums over all pages. No names: the pharmacy's own references. */
export function PatientsTab({ pharmacyId, target, where }: PatientsTabProps) {
  const [page, setPage] = useState(1)
  const { category, subcategory } = target
  const ask = { pharmacy_id: pharmacyId, category, subcategory, page, ...where.choice }
  const answer = useRead(financials.adherenceDetail, ask, { keepPrevious: true })
  return (
    <Loaded read={answer} what="the patients" rows={8} paged={{ page, onPage: setPage }}>
      {(reply) =>
        reply.totals.pairs === 0 ? (
          <NothingYet title="Nobody is measured here">
            A patient is measured on a regular medicine from 90 days after its first supply, with supplies on at least 2
            different days of the last 365.
          </NothingYet>
        ) : (
          <div className={answer.isPlaceholderData ? styles.dimmed : undefined} aria-busy={answer.isFetching}>
            <Totals reply={reply} country={where.country} />
            <Rows reply={reply} country={where.country} />
            <div className={styles.pager}>
              <span>
                {formatCounted(where.country, reply.totals.pairs, 'row', 'rows')}, {reply.per_page} a page
              </span>
              <Button
                size="compact-sm"
                aria-label="Previous page"
                disabled={page <= 1}
                onClick={() => setPage(page - 1)}
              >
                <Icon of={ChevronLeft} />
              </Button>
              <span>
                Page <b>{reply.current_page}</b> of {reply.page_count}
              </span>
              <Button
                size="compact-sm"
                aria-label="Next page"
                disabled={page >= reply.page_count}
                onClick={() => setPage(page + 1)}
              >
                <Icon of={ChevronRight} />
              </Button>
            </div>
          </div>
        )
      }
    </Loaded>
  )
}

/** The sums over all pages, and the figure they produce. */
function Totals({ reply: { totals }, country }: { reply: Reply; country: Country }) {
  const count = (value: number) => unitText(country, 'count', value)
  const { pairs } = totals
  const share = (part: number, whole: number) =>
    shareText(country, { value: whole === 0 || pairs < MIN_SHARE_N ? null : part / whole, n: pairs })
  return (
    <dl className={styles.facts}>
      <dt>Scripts</dt>
      <dd>
        {count(totals.adherent_scripts)} of {count(totals.scripts)} belong to rows covered 80% or more:{' '}
        <b>{share(totals.adherent_scripts, totals.scripts)}</b>
      </dd>
      <dt>Patients</dt>
      <dd>
        {count(totals.patients)}: {count(totals.adherent_patients)} adherent, {count(totals.non_adherent_patients)} not
      </dd>
      <dt>Days</dt>
      <dd>
        {count(totals.covered_days)} covered of {count(totals.observed_days)} observed:{' '}
        {share(totals.covered_days, totals.observed_days)}
      </dd>
    </dl>
  )
}

function Rows({ reply, country }: { reply: Reply; country: Country }) {
  const date = (text: string) => {
    const day = parseDay(text)
    return day === null ? NONE : formatDate(country, day)
  }
  const spanOf = (from: string, to: string) => {
    const start = parseDay(from)
    const end = parseDay(to)
    return start === null || end === null ? NONE : formatSpan(country, start, end)
  }
  return (
    // Wider than the drawer on a phone, so it scrolls separately, also by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section ref={scrollEdges} className={styles.wide} tabIndex={0} aria-label="Patients behind this number">
      <table className={styles.parts}>
        <thead>
          <tr>
            <th scope="col">Patient</th>
            <th scope="col">Medicine</th>
            <th scope="col">Window, first supply</th>
            <th scope="col" className="num">
              Days covered
            </th>
            <th scope="col" className="num">
              Coverage
            </th>
            <th scope="col" className="num">
              Scripts
            </th>
          </tr>
        </thead>
        <tbody>
          {reply.rows.map((row) => (
            <tr key={`${row.patient_ref} ${row.atc ?? ''} ${row.molecule} ${row.window_start}`}>
              <th scope="row">{row.patient_ref}</th>
              <td>
                {row.molecule} <small>{row.atc ?? NONE}</small>
              </td>
              <td className={styles.dates}>
                {spanOf(row.window_start, row.window_end)} <small>first {date(row.first_supply)}</small>
              </td>
              <td className="num">
                {row.covered_days} <small>of {row.observed_days} observed</small>
              </td>
              <td className="num">
                {unitText(country, 'fraction', row.pdc)}{' '}
                <small>
                  {row.level} {LEVEL_NAMES[row.level as Level] ?? ''}
                </small>
              </td>
              <td className="num">{row.scripts}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
