import { type AnswerOf, type contract, type InputOf, Refusal } from '@pillar/contract'
import type { Headline } from '@pillar/contract/pharmacy'
import { FIGURE_KEYS, FIGURES, type FigureKey } from '@pillar/domain/figure/figure-list'
import { MIN_SURE_N } from '@pillar/domain/figure/interval'
import { HEADLINE_FIGURES, type HeadlineFigure, standingOf } from '@pillar/domain/pharmacy/standing'
import { type Day, day as dayOf, formatDay } from '@pillar/domain/time/day'
import { type PeriodChoice, priorSpan } from '@pillar/domain/time/period'
import { SOURCE_NAMES } from '@pillar/domain/upload/data-source'
import { NEVER_UPLOADED } from '@pillar/domain/upload/upload-state'
import { todayOf } from '../../../api/call/today.ts'
import { type Context, callerOf, tenantTx } from '../../../api/context.ts'
import type { Tx } from '../../../db/database.ts'
import { trendMonths } from '../../metrics/spans.ts'
import { money } from '../cells.ts'
import { changeIn, columnsOf, figureIn, isKnown, perBusinessDay } from '../figure-parts.ts'
import {
  FIGURE_COLUMNS,
  type FigureColumn,
  type PeriodSums,
  type PharmacySums,
  type Sums,
  sumPeriods,
  sumsByPharmacy,
} from '../figure-sums.queries.ts'
import type { PharmacyRow } from '../financials.queries.ts'
import { begunLate, isLate, type Selection, select } from '../selection.ts'
import { attentionAt } from './attention.ts'
import {
  campaignsAt,
  groupIds,
  type MonthSums,
  monthSums,
  newestUploads,
  type PharmacyCampaignRow,
  pharmacyDetail,
  type UploadRow,
} from './pharmacy.queries.ts'

type Pharmacy = (typeof contract)['financials']['pharmacy']

const UPLOADS = 30
const HEADLINE_COLUMNS = [...new Set<FigureColumn>(HEADLINE_FIGURES.flatMap(columnsOf))]

/** The pharmacy a page is about. Refuses with not_found if it is another company's, removed or unknown. */
export async function selectOne(
  tx: Tx,
  { pharmacy_id, ...choice }: PeriodChoice & { pharmacy_id: string },
  context: Context,
): Promise<Selection & { pharmacy: PharmacyRow }> {
  const selection = await select(tx, callerOf(context).country, choice, [pharmacy_id])
  const [pharmacy] = selection.pharmacies
  if (!pharmacy) throw new Refusal('not_found', 'That pharmacy was not found.')
  return { ...selection, pharmacy }
}

/** The page of a pharmacy: contact, figures beside the group, attention, campaigns and uploads. */
export async function pharmacyAnswer(input: InputOf<Pharmacy>, context: Context): Promise<AnswerOf<Pharmacy>> {
  const tx = tenantTx(context)
  const selection = await selectOne(tx, input, context)
  const { pharmacy, span, code } = selection
  const group = await groupIds(tx)
  const detail = await pharmacyDetail(tx, pharmacy.id)
  const [own] = await sumPeriods(tx, [pharmacy.id], [code], FIGURE_COLUMNS)
  const each = await sumsByPharmacy(tx, group, code, HEADLINE_COLUMNS)
  const months = trendMonths(dayOf(span.to))
  const codes = months.map((month) => month.code)
  const trend = await monthSums(tx, pharmacy.id, group, codes, HEADLINE_COLUMNS)
  const uploads = await newestUploads(tx, pharmacy.id, UPLOADS)
  const prior = priorSpan(dayOf(span.from), dayOf(span.to))
  const late = isLate(pharmacy, context.services.now())
  return {
    ...nameOf(pharmacy),
    ...{ street_address: detail.street_address, town: detail.town, phone_number: detail.phone_number },
    software: softwareOf(detail.data_source ?? uploads[0]?.data_source ?? null),
    ...{ late, begins_before_data: begunLate(selection).has(pharmacy.id) },
    today: formatDay(todayOf(context)),
    period: span,
    prior: { from: formatDay(prior.from), to: formatDay(prior.to) },
    group_pharmacies: each.length,
    headlines: headlinesOf(own, each, { months, rows: trend, dataTo: selection.dataTo }),
    figures: figuresOf(own),
    attention: await attentionAt(tx, selection, context, { late, uploads, repeatsDue: own?.all.repeats_due ?? 0 }),
    campaigns: (await campaignsAt(tx, pharmacy.id)).map(campaignAnswer),
    uploads: uploads.map(uploadAnswer),
  }
}

const nameOf = (pharmacy: PharmacyRow) => ({
  pharmacy_id: pharmacy.uuid,
  pharmacy_name: pharmacy.name,
  state: pharmacy.region,
  postcode: pharmacy.postcode,
  owner: pharmacy.owner_name ? { name: pharmacy.owner_name, email: pharmacy.owner_email } : null,
  data_from: pharmacy.data_from,
  data_to: pharmacy.data_to,
  upload_status:
    pharmacy.data_to === null && pharmacy.etl_state === null ? NEVER_UPLOADED : (pharmacy.etl_state ?? 'COMPLETED'),
})

const softwareOf = (source: string | null) => (source === null ? null : (SOURCE_NAMES[source] ?? source))

const uploadAnswer = (row: UploadRow) => ({
  upload_id: row.uuid,
  received: row.created_at.toISOString(),
  source: SOURCE_NAMES[row.data_source] ?? row.data_source,
  state: row.etl_state,
  from: row.from_day,
  to: row.to_day,
  rows: row.rows,
  faulty: row.faulty,
  note: row.notes,
})

const campaignAnswer = (row: PharmacyCampaignRow) => ({
  campaign_id: row.uuid,
  name: row.name,
  active: row.active,
  start_date: row.start_day,
  end_date: row.end_day,
  ...{ sms: row.sms, email: row.email, reach: row.reach },
  cost: money(row.cost_cents),
})

function figuresOf(own: PeriodSums | undefined) {
  return FIGURE_KEYS.map((figure) => ({
    ...{ figure, title: FIGURES[figure].title, unit: FIGURES[figure].unit },
    ...(own ? figureIn(figure, own.all) : { value: null, n: null, low: null, high: null }),
    change: own ? changeIn(figure, own.now, own.prior) : null,
  }))
}

interface TrendRows {
  months: readonly { code: number; label: string; to: Day }[]
  rows: readonly MonthSums[]
  dataTo: Day | null
}

/** The figures at the top of the page; gross profit only if cost is known. */
function headlinesOf(own: PeriodSums | undefined, each: readonly PharmacySums[], trend: TrendRows): Headline[] {
  const costed = (own?.all.costed_scripts ?? 0) > 0
  const shown = HEADLINE_FIGURES.filter((figure) => figure !== 'gross_profit' || costed)
  return shown.map((figure) => ({
    ...{ figure, title: FIGURES[figure].title, unit: FIGURES[figure].unit },
    ...(own ? figureIn(figure, own.all) : { value: null, n: null, low: null, high: null }),
    change: own ? changeIn(figure, own.now, own.prior) : null,
    group: groupOf(figure, each),
    ...standingOf(
      own ? rankable(figure, own.all) : null,
      each.map(({ sums }) => rankable(figure, sums)),
    ),
    trend: trendOf(figure, trend),
  }))
}

const NOTHING = Object.fromEntries(HEADLINE_COLUMNS.map((name) => [name, 0])) as Sums
const addSums = (a: Sums, b: Sums): Sums =>
  Object.fromEntries(HEADLINE_COLUMNS.map((name) => [name, a[name] + b[name]])) as Sums

/** The value to rank by; a share from fewer than 30 is not ranked. */
function rankable(figure: HeadlineFigure, sums: Sums): number | null {
  const { value, n } = figureIn(figure, sums)
  return n !== null && n < MIN_SURE_N ? null : value
}

/** The figure over those pharmacies of a group that have it. */
function groupOf(figure: FigureKey, each: readonly PharmacySums[]): number | null {
  const some = each.filter(({ sums }) => isKnown(figure, sums)).map(({ sums }) => sums)
  return some.length > 0 ? meanOf(figure, some.reduce(addSums, NOTHING), some.length) : null
}

/** A group's overall value: the mean of a sum, to the cent for money; a share pooled. */
function meanOf(figure: FigureKey, sums: Sums, pharmacies: number): number | null {
  const { value } = figureIn(figure, sums)
  if (value === null || FIGURES[figure].unit === 'fraction') return value
  return FIGURES[figure].unit === 'money' ? money((value * 100) / pharmacies) : value / pharmacies
}

/**
 * The trend of a headline figure. Sums are shown per business day, so that a running month is comparable; patients of that month are left
 * out.
 */
function trendOf(figure: HeadlineFigure, { months, rows, dataTo }: TrendRows): Headline['trend'] {
  const byCode = new Map(rows.map((row) => [row.period, row]))
  const daily = 'daily' in FIGURES[figure]
  return months.map(({ code, label, to }) => {
    const row = byCode.get(code)
    const running = dataTo !== null && dataTo < to
    if (!row || (running && FIGURES[figure].unit === 'count' && !daily))
      return { month: label, value: null, group: null }
    const group = figure === 'gross_profit' ? { ...row.group, business_days: row.costed_days } : row.group
    if (daily) return { month: label, value: perBusinessDay(figure, row.own), group: perBusinessDay(figure, group) }
    const value = row.own ? figureIn(figure, row.own).value : null
    return { month: label, value, group: meanOf(figure, row.group, row.pharmacies) }
  })
}
