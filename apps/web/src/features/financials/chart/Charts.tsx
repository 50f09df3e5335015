import type { Target } from '@pillar/contract/target'
import { TOTAL } from '@pillar/domain/dispensing/category'
import { isShare, NAME_FIELD } from '@pillar/domain/figure/format'
import { type Day, parseDay } from '@pillar/domain/time/day'
import { type Country, formatSpan } from '@pillar/domain/time/locale'
import { useMemo, useState } from 'react'
import { DotStrip } from '../../../kit/chart/draw/DotStrip.tsx'
import { HeatMap } from '../../../kit/chart/draw/HeatMap.tsx'
import { RankedBars } from '../../../kit/chart/draw/RankedBars.tsx'
import { TileMap } from '../../../kit/chart/draw/TileMap.tsx'
import { shortId } from '../../../shared/paths.ts'
import { type Filters, type FinancialsSearch, periodSearch } from '../search.ts'
import { shownFields, sortOf, type TableReply } from '../table/table-model.ts'
import { useTaste } from '../table/taste.ts'
import { ChartChoices } from './ChartChoices.tsx'
import styles from './Charts.module.css'
import { averagesOf, barsOf, byChange, figureIn, heatOf, isUnsure, placesOf, ranked } from './chart-model.ts'
import { targetLines, useChartTargets, withTargets } from './chart-targets.ts'
import {
  about,
  barsTitle,
  cellWords,
  changed,
  dotsTitle,
  fallTitle,
  full,
  heatTitle,
  mapTitle,
  type Said,
  short,
  withinTitle,
} from './chart-words.ts'

interface ChartsProps {
  reply: TableReply
  filters: Filters
  country: Country
  product: string
  today: Day
  change: (change: Partial<FinancialsSearch>) => void
}

/** The table's answer as charts: who leads, where each pharmacy stands, the subcategories of each pharmacy, and a map. */
export function Charts({ reply, filters, country, product, today, change }: ChartsProps) {
  const { statistic, mark } = filters
  const [{ order }] = useTaste()
  const fields = useMemo(() => shownFields(reply, filters, order), [reply, filters, order])
  const sort = sortOf(filters, fields)
  const field = sort.field === NAME_FIELD ? TOTAL : sort.field
  const rows = useMemo(() => {
    const sorted = ranked(reply.pharmacies, statistic, sort)
    return filters.byChange ? byChange(sorted, statistic, field) : sorted
  }, [reply, statistic, sort, field, filters.byChange])
  const said: Said = { statistic, country, field }
  const targets = useChartTargets(filters, field)
  const from = parseDay(reply.period.from)
  const to = parseDay(reply.period.to)
  const dates = from === null || to === null ? '' : formatSpan(country, from, to)
  const shared = {
    said,
    what: about(said, reply.category, dates),
    mark,
    onMark: (id: string | null) => change({ mark: id ?? undefined }),
  }
  return (
    <section className={styles.charts} aria-label="Charts">
      <ChartChoices
        {...{ reply, fields, sort, field, mark, change }}
        falls={filters.byChange}
        period={periodSearch(filters.choice, country, today)}
      />
      <div className={styles.left}>
        <Strip {...shared} {...{ reply, product, filters, targets }} />
        <Heat {...shared} {...{ reply, fields, rows, dates }} />
        <Places {...shared} reply={reply} />
      </div>
      <div className={styles.right}>
        <Bars {...shared} {...{ reply, rows, targets }} falls={filters.byChange} />
      </div>
    </section>
  )
}

interface Shared {
  said: Said
  /** The figure, its scope, and the dates. */
  what: string
  mark: string | null
  onMark: (id: string | null) => void
}

interface BarsProps extends Shared {
  reply: TableReply
  rows: TableReply['pharmacies']
  targets: readonly Target[]
  falls: boolean
}

function Bars({ said, what, mark, onMark, reply, rows, targets, falls }: BarsProps) {
  const { statistic, field } = said
  const bars = withTargets(barsOf(rows, statistic, field), targets)
  const average = figureIn(statistic, reply.selected_average[field])
  const lastYear = bars.some(({ change }) => change != null)
  const points = isShare(statistic) ? ' in points' : ''
  return (
    <RankedBars
      title={falls ? fallTitle(bars, said) : barsTitle(bars, said)}
      caption={`Who leads, who lags? ${what}${lastYear ? `, with the change on last year${points}; a tick is last year` : ''}`}
      heads={['Pharmacy', statistic]}
      rows={bars}
      format={(value) => full(said, value)}
      formatChange={(change) => changed(said, change)}
      average={average === null ? null : { label: 'Average', value: average }}
      marked={mark}
      onMark={onMark}
    />
  )
}

interface StripProps extends Shared {
  reply: TableReply
  product: string
  filters: Filters
  targets: readonly Target[]
}

function Strip({ said, what, mark, onMark, reply, product, filters, targets }: StripProps) {
  const { statistic, field } = said
  const dots = reply.pharmacies.flatMap(({ pharmacy_id, pharmacy_name, cells }) => {
    const value = figureIn(statistic, cells[field])
    const hollow = isUnsure(statistic, cells[field])
    return value === null ? [] : [{ id: shortId(pharmacy_id), label: pharmacy_name, value, hollow }]
  })
  const lines = [
    ...averagesOf(reply, statistic, field, product),
    ...targetLines(filters, targets, reply.pharmacies.length),
  ]
  const own = figureIn(statistic, reply.selected_average[field])
  const marked = dots.find(({ id }) => id === mark)
  const hollow = isShare(statistic) ? ', hollow under 30 measured' : ''
  return (
    <DotStrip
      title={dotsTitle(dots, own, marked, said)}
      caption={`Where does each pharmacy stand? ${what}. One dot per pharmacy${dots.length < 10 ? '' : ', a tick per decile'}${hollow}`}
      heads={['Pharmacy', statistic]}
      dots={dots}
      lines={lines}
      format={(value) => short(said, value)}
      formatFull={(value) => full(said, value)}
      hollowMeans="fewer than 30"
      marked={marked ? mark : null}
      onMark={onMark}
    />
  )
}

interface HeatProps extends Shared {
  reply: TableReply
  fields: readonly string[]
  rows: TableReply['pharmacies']
  dates: string
}

function Heat({ said, mark, reply, fields, rows, dates }: HeatProps) {
  const all = reply.columns.map(({ field }) => field)
  const heat = heatOf(rows, said.statistic, fields, all)
  if (heat.columns.length === 0) return null
  const whole: Said = { ...said, field: TOTAL }
  const values = heat.rows.flatMap(({ cells, ends }) => [...cells.map(({ value }) => value ?? 0), ...ends.map(Number)])
  const { unit, format } = cellWords(said, Math.max(0, ...values))
  return (
    <HeatMap
      title={heatTitle(heat, reply.category, whole)}
      caption={`Which part of which pharmacy? ${about(whole, reply.category, dates)}${unit ? `, ${unit}` : ''}`}
      head="Pharmacy"
      {...heat}
      format={format}
      formatFull={(value) => full(whole, value)}
      marked={mark}
    />
  )
}

function Places({ said, what, reply }: Shared & { reply: TableReply }) {
  const [open, setOpen] = useState<string | null>(null)
  const { statistic, field } = said
  const states = placesOf(reply.pharmacies, statistic, field, 'state')
  if (states.length === 0) return null
  const areas = (places: typeof states, name: (code: string) => string) =>
    places.map(({ code, value }) => ({
      code,
      label: name(code),
      value,
      ...(value === null ? { why: 'no figure' } : {}),
    }))
  const within = reply.pharmacies.filter(({ state }) => state === open)
  const nowhere = reply.pharmacies.filter(({ state }) => state === null)
  const elsewhere = nowhere.reduce((sum, { cells }) => sum + (figureIn(statistic, cells[field]) ?? 0), 0)
  return (
    <TileMap
      title={mapTitle(states, said, open, elsewhere)}
      caption={`Where on the map? ${what}${isShare(statistic) ? ', of the middle pharmacy' : ''}${nowhere.length > 0 ? `. ${nowhere.length} without a state` : ''}`}
      head={statistic}
      areas={areas(states, (code) => code)}
      format={(value) => short(said, value)}
      selected={open}
      onSelect={setOpen}
      inside={
        open === null
          ? null
          : {
              title: withinTitle(open, said.country),
              areas: areas(placesOf(within, statistic, field, 'postcode'), (code) => code),
            }
      }
    />
  )
}
