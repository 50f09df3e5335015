import type { AnswerOf, contract, InputOf } from '@pillar/contract'
import { FIGURE_KEYS, FIGURES } from '@pillar/domain/figure/figure-list'
import { day as dayOf, formatDay } from '@pillar/domain/time/day'
import { priorSpan } from '@pillar/domain/time/period'
import { type Context, callerOf, tenantTx } from '../../api/context.ts'
import { money } from './cells.ts'
import { changeIn, columnsOf, figureIn, neededBy } from './figure-parts.ts'
import { FIGURE_COLUMNS, type PharmacySums, sumPeriods, sumsByPharmacy } from './figure-sums.queries.ts'
import { type Selection, select } from './selection.ts'

type Figures = (typeof contract)['financials']['figures']
type ChangeParts = (typeof contract)['financials']['changeParts']

/** Every figure for the pharmacies as a whole. */
export async function figuresAnswer(
  { pharmacy_ids, ...choice }: InputOf<Figures>,
  context: Context,
): Promise<AnswerOf<Figures>> {
  const tx = tenantTx(context)
  const selection = await select(tx, callerOf(context).country, choice, pharmacy_ids)
  const [row] = await sumPeriods(tx, selection.ids, [selection.code], FIGURE_COLUMNS)
  const [costed] = await sumPeriods(
    tx,
    selection.ids,
    [selection.code],
    columnsOf('gross_profit'),
    neededBy('gross_profit'),
  )
  return {
    figures: FIGURE_KEYS.map((figure) => {
      const sums = neededBy(figure) ? costed : row
      return {
        ...{ figure, title: FIGURES[figure].title, unit: FIGURES[figure].unit },
        ...(sums ? figureIn(figure, sums.all) : { value: null, n: null, low: null, high: null }),
        change: sums ? changeIn(figure, sums.now, sums.prior) : null,
      }
    }),
    ...datesOf(selection),
    ...{ pharmacies_counted: row?.pharmacies ?? 0, pharmacies_compared: row?.compared ?? 0 },
  }
}

function datesOf({ span, dataTo }: Selection) {
  const prior = priorSpan(dayOf(span.from), dayOf(span.to))
  return {
    period: span,
    prior: { from: formatDay(prior.from), to: formatDay(prior.to) },
    data_to: dataTo === null ? null : formatDay(dataTo),
  }
}

const FORMULAS = {
  volume: '(Scripts now − scripts then) × revenue per script then, at each pharmacy',
  price: 'For each medicine: (revenue per script now − then) × scripts now',
  mix: 'What remains: dearer or cheaper medicines, those begun and those ended',
} as const

const NOT_COMPARED = { now: null, previous: null, change: null, parts: null, rates: null }

interface Cents {
  now: number
  previous: number
  volume: number
  price: number
}

/** The parts of the change of revenue, over the pharmacies with complete data both times. */
export async function changePartsAnswer(
  { pharmacy_ids, ...choice }: InputOf<ChangeParts>,
  context: Context,
): Promise<AnswerOf<ChangeParts>> {
  const tx = tenantTx(context)
  const selection = await select(tx, callerOf(context).country, choice, pharmacy_ids)
  const rows = await sumsByPharmacy(tx, selection.ids, selection.code, ['revenue_cents'])
  const byId = new Map(rows.flatMap((row) => (row.prior === null ? [] : [[row.location_id, centsOf(row)] as const])))
  const all = [...byId.values()].reduce(addCents, { now: 0, previous: 0, volume: 0, price: 0 })
  const rates = all.previous > 0 ? partsOf(all, (cents) => cents / all.previous) : null
  const whole = { now: money(all.now), previous: money(all.previous), change: money(all.now - all.previous) }
  return {
    ...(byId.size > 0 ? { ...whole, parts: partsOf(all, money), rates } : NOT_COMPARED),
    formulas: FORMULAS,
    pharmacies: selection.pharmacies.flatMap((pharmacy) => {
      const cents = byId.get(pharmacy.id)
      if (!cents) return []
      const named = { pharmacy_id: pharmacy.uuid, pharmacy_name: pharmacy.name }
      return [{ ...named, now: money(cents.now), previous: money(cents.previous), parts: partsOf(cents, money) }]
    }),
    ...datesOf(selection),
    ...{ pharmacies_counted: rows.length, pharmacies_compared: byId.size },
  }
}

const centsOf = ({ sums, prior, volume_cents, price_cents }: PharmacySums): Cents => ({
  now: sums.revenue_cents,
  previous: prior?.revenue_cents ?? 0,
  volume: volume_cents ?? 0,
  price: price_cents ?? 0,
})

const addCents = (a: Cents, b: Cents): Cents => ({
  now: a.now + b.now,
  previous: a.previous + b.previous,
  volume: a.volume + b.volume,
  price: a.price + b.price,
})

/** The mix is what volume and price leave of the change, so that the three add up to it. */
const partsOf = ({ now, previous, volume, price }: Cents, unit: (cents: number) => number) => ({
  volume: unit(volume),
  price: unit(price),
  mix: unit(now - previous - volume - price),
})
