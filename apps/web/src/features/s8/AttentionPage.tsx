import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { S8Attention } from '@pillar/contract/s8-row'
import { ATTENTION_KINDS, ATTENTION_WORDS } from '@pillar/domain/s8/attention'
import { addMonths, formatDay, parseDay } from '@pillar/domain/time/day'
import { type Country, formatDate, formatNumber } from '@pillar/domain/time/locale'
import { Link, useSearch } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { Email } from '../../frame/MailLink.tsx'
import { FiguresLink } from '../../frame/PharmacyLink.tsx'
import { BarChart } from '../../kit/chart/BarChart.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import { Tag } from '../../kit/display/Tag.tsx'
import { FilterChip } from '../../kit/list/chip/FilterChip.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useCountry } from '../../session/session.ts'
import { todayOf } from '../../shared/today.ts'
import { ContradictionDialog } from './ContradictionDialog.tsx'
import styles from './S8.module.css'
import { ICONS, S8Top, useCounts } from './S8Top.tsx'
import type { S8Search } from './s8-search.ts'

const KINDS = ATTENTION_KINDS.map((value) => ({ value, label: ATTENTION_WORDS[value].label }))
const COLOURS = { contradiction: '--d3', balance: '--d5', countersign: '--d2', late: '--d1' } as const

/** One queue over all pharmacies: what is wrong, for how long, who is responsible and what to do next. */
export function AttentionPage() {
  const country = useCountry()
  const { kind } = useSearch({ strict: false }) as S8Search
  const [opened, setOpened] = useState<S8Attention | null>(null)
  const { data: counts, sent } = useCounts()
  const list = useList(contract.s8.attention, {
    ...{ id: 'id', one: 'item', many: 'items' },
    none: sent === false ? 'No register has been sent yet' : 'Nothing needs attention',
    filters: { kind },
    sort: { field: 'kind', order: 'asc' },
  })
  return (
    <>
      <ListPage
        title="S8 Management"
        list={list}
        empty={
          sent === false
            ? 'What needs attention appears here once a pharmacy has uploaded its register.'
            : 'Every register that was sent is counted, signed and intact.'
        }
        tabs={<S8Top on="attention" />}
        filters={<FilterChip field="kind" label="Kind" options={KINDS} />}
        aside={counts?.weeks.length === 0 ? null : <Weeks counts={counts} />}
        actions={
          <Button leftSection={<Icon of={RotateCw} />} onClick={list.retry}>
            Refresh
          </Button>
        }
        columns={[
          {
            label: 'Pharmacy',
            sort: 'name',
            width: 260,
            cell: (row) => (
              <Link to="." search={placeOf(row, country) as never} className={styles.name}>
                {row.location.name}
              </Link>
            ),
            sub: ({ owner, location }) => (
              <>
                <Owner owner={owner} /> <FiguresLink id={location.uuid} name={location.name} />
              </>
            ),
          },
          {
            label: 'What is wrong',
            sort: 'kind',
            cell: (row) => (
              <Tag tone={row.kind === 'late' || row.kind === 'silent' ? 'caution' : 'bad'} icon={ICONS[row.kind]}>
                {ATTENTION_WORDS[row.kind].label}
              </Tag>
            ),
            sub: (row) => (
              <>
                {row.product_name ? `${row.product_name}. ` : ''}
                {row.what}
              </>
            ),
          },
          {
            label: 'For',
            sort: 'since',
            num: true,
            cell: ({ days }) =>
              days === 0 ? 'Today' : `${formatNumber(country, days)} ${days === 1 ? 'day' : 'days'}`,
            sub: ({ since }) => formatDate(country, parseDay(since)!),
          },
          {
            label: 'Next step',
            width: 300,
            cell: (row) => row.next_step,
            sub: (row) =>
              row.kind === 'contradiction' ? (
                <button type="button" className={styles.act} onClick={() => setOpened(row)}>
                  Compare the versions
                </button>
              ) : null,
          },
        ]}
      />
      {opened ? <ContradictionDialog item={opened} onClose={() => setOpened(null)} /> : null}
    </>
  )
}

/** Whom to ask about it. */
function Owner({ owner }: Pick<S8Attention, 'owner'>) {
  if (!owner) return 'No Contact Set'
  const { first_name, last_name } = owner.person.personal_information
  return (
    <>
      {first_name} {last_name}, <Email email={owner.email} />
    </>
  )
}

/** Before every entry: an item that names a transaction may concern a day long past. */
const EVER = '2000-01-01'

/** Where in the pharmacy's registers an item is found. */
function placeOf(row: S8Attention, country: Country): S8Search {
  const { kind, product_name, since, transaction_product_id: transaction } = row
  const pharmacy = row.location.uuid
  const yearAgo = formatDay(addMonths(todayOf(country), -12))
  const [from] = [since, yearAgo].sort()
  if (kind === 'late') return { pharmacy, find: product_name ?? undefined, states: ['overdue', 'never'] }
  if (kind === 'balance') return { pharmacy, view: 'drug', balance: 'incorrect', from }
  if (kind === 'countersign') return { pharmacy, view: 'drug', signed: 'no', from }
  return transaction === null ? { pharmacy } : { pharmacy, view: 'drug', find: String(transaction), from: EVER }
}

const ofPharmacies = (some: number, all: number, country: Country) =>
  all === 1 ? 'one pharmacy' : `${formatNumber(country, some)} of ${formatNumber(country, all)} pharmacies`

/** The number of issues of each kind at the end of each of the last eight weeks. */
function Weeks({ counts: data }: { counts: ReturnType<typeof useCounts>['data'] }) {
  const country = useCountry()
  if (!data) return null
  const kinds = Object.keys(COLOURS) as (keyof typeof COLOURS)[]
  const now = kinds.reduce((sum, kind) => sum + data.now[kind], 0)
  const first = data.weeks[0]!
  const then = kinds.reduce((sum, kind) => sum + (first.counts[kind] ?? 0), 0)
  const number = (value: number) => formatNumber(country, value)
  const than =
    now === then ? 'as many as' : now > then ? `${number(now - then)} more than` : `${number(then - now)} fewer than`
  return (
    <BarChart
      title={`${number(now)} open at ${ofPharmacies(data.concerned, data.pharmacies, country)}, ${than} eight weeks ago`}
      caption="How much was open at the end of each week?"
      head="Week"
      rows={data.weeks.map(({ day, counts }) => ({
        label: formatDate(country, parseDay(day)!).replace(/ \d{4}$/, ''),
        values: kinds.map((kind) => counts[kind] ?? 0),
      }))}
      series={kinds.map((kind) => ({ label: ATTENTION_WORDS[kind].label, colour: COLOURS[kind] }))}
      format={number}
      stacked
    />
  )
}
