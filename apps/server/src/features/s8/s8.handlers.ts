import { type contract, Refusal } from '@pillar/contract'
import { S8_FILE_ROWS } from '@pillar/contract/s8'
import { SILENT_DAYS } from '@pillar/domain/s8/attention'
import { type EntryType, entryLabel } from '@pillar/domain/s8/entry'
import { addMonths, formatDay } from '@pillar/domain/time/day'
import { silentBefore } from '@pillar/domain/upload/faulty-upload'
import { noteCounts, recordAudit } from '../../api/audit.ts'
import { dayFrom } from '../../api/call/day-sent.ts'
import { todayOf } from '../../api/call/today.ts'
import { type Context, callerOf, type HandlersOf, tenantTx } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { calendarOf } from '../../db/local-calendar.ts'
import { withScope } from '../../db/scope.ts'
import {
  contradictedOf,
  countAttention,
  findContradiction,
  lastUploads,
  listAttention,
  type Version,
  weeklyAttention,
} from './attention.queries.ts'
import { listRegister, pageRows, registerLots } from './drug-register.queries.ts'
import { findProduct, listProducts } from './product.queries.ts'
import { countProducts, findCheck, findPlace, findStats, listStats, type S8Place } from './s8.queries.ts'
import { attentionAnswer, checkAnswer, entryAnswer, productAnswer, statsAnswer } from './s8-answer.ts'
import { registerCsv, stockCsv } from './s8-csv.ts'
import { registerAnchors } from './verify/register-anchor.ts'
import { readRegisterHeads } from './verify/verify-register.queries.ts'
import { verifyOne } from './verify/verify-register.ts'

const WEEKS = 8
/** Most entries on one printed page. */
const MOST_PRINTED = 5_000

export const s8Handlers: HandlersOf<typeof contract.s8> = {
  async stats({ name, ...ask }, context) {
    const found = await listStats(tenantTx(context), { ...ask, search_term: name }, context.services.now())
    return answerOf(found, statsAnswer)
  },

  async info({ location_uuid }, context) {
    const tx = tenantTx(context)
    const now = context.services.now()
    const row = await findStats(tx, location_uuid, now)
    if (!row) throw notFound()
    const place = await placeOf(context, location_uuid)
    const { entries, head, ...products } = await countProducts(tx, place)
    const { counts } = await countAttention(tx, await silentOf(tx, now), now, row.id)
    return {
      ...statsAnswer(row),
      products,
      warning_days: place.warning_days,
      chain: { entries, head },
      attention: counts,
    }
  },

  async attention({ kind, location_uuid, ...ask }, context) {
    const tx = tenantTx(context)
    const now = context.services.now()
    const filter = { kind, location_uuid, silent: await silentOf(tx, now) }
    return answerOf(await listAttention(tx, filter, ask, now), attentionAnswer)
  },

  async attentionCounts(_input, context) {
    const tx = tenantTx(context)
    const now = context.services.now()
    const uploads = await lastUploads(tx)
    const { counts, concerned } = await countAttention(tx, silentIn(uploads, now), now)
    const found = await weeklyAttention(tx, now, WEEKS)
    const today = todayOf(context)
    const weeks = Array.from({ length: found.length === 0 ? 0 : WEEKS + 1 }, (_, at) => {
      const back = WEEKS - at
      const counts = found.flatMap((one) => (one.back === back ? [[one.kind, one.count]] : []))
      return { day: formatDay(today - 7 * back), counts: Object.fromEntries(counts) }
    })
    const checks = uploads.flatMap(({ checked_at }) => checked_at ?? [])
    const oldest = checks.length === 0 ? null : new Date(Math.min(...checks.map(Number)))
    return { now: counts, pharmacies: uploads.length, concerned, weeks, checked_at: oldest?.toISOString() ?? null }
  },

  async products({ location_uuid, page, sort_field, sort_order, ...filter }, context) {
    const place = await placeOf(context, location_uuid)
    const found = await listProducts(tenantTx(context), place, filter, { page, sort_field, sort_order })
    return answerOf(found, productAnswer)
  },

  async productsCsv({ location_uuid, timezone, sort_field, sort_order, ...filter }, context) {
    zoneFor(timezone)
    const place = await placeOf(context, location_uuid)
    const ask = { page: 1, paginate: false, sort_field, sort_order }
    const { rows, total } = await listProducts(tenantTx(context), place, filter, ask)
    if (total > rows.length) throw tooLong('10,000 products', 'narrow the list, for example to products in stock')
    await noteRead(context, 's8.productsCsv', location_uuid, { rows: rows.length })
    const text = stockCsv(rows, callerOf(context).country)
    return { filename: `${place.name}_stock_register.csv`, text }
  },

  async drugRegister({ location_uuid, page, sort_field, sort_order, ...asked }, context) {
    const place = await placeOf(context, location_uuid)
    const filter = { ...asked, ...rangeOf(place, asked) }
    const order = { page, sort_field, sort_order }
    const tx = tenantTx(context)
    const found = await withScope(tx, [place.id], () => listRegister(tx, place, filter, order))
    const { from: start_date, to: end_date } = filter
    await noteRead(context, 's8.drugRegister', location_uuid, { page, rows: found.rows.length, start_date, end_date })
    return { ...answerOf(found, entryAnswer), start_date, end_date }
  },

  async drugRegisterCsv({ location_uuid, timezone, sort_field, sort_order, ...asked }, context) {
    const place = await placeOf(context, location_uuid)
    const zone = zoneFor(timezone) || place.time_zone
    const filter = { ...asked, ...rangeOf(place, asked) }
    const tx = tenantTx(context)
    let rows = 0
    const counted = async function* () {
      for await (const lot of registerLots(tx, place, filter, { sort_field, sort_order }, zone)) {
        if (context.gone.aborted) throw new Refusal('unavailable', 'The download was given up.')
        rows += lot.length
        if (rows > S8_FILE_ROWS) throw tooLong('1,000,000 entries', 'choose fewer days')
        yield lot
      }
    }
    const file = await withScope(tx, [place.id], () => context.spool(registerCsv(counted(), zone)))
    const { from: start_date, to: end_date } = filter
    await noteRead(context, 's8.drugRegisterCsv', location_uuid, { rows, start_date, end_date })
    return { filename: `${place.name}_drug_register.csv`, file }
  },

  async page({ location_uuid, product_id, ...asked }, context) {
    const tx = tenantTx(context)
    const now = context.services.now()
    const stats = await findStats(tx, location_uuid, now)
    const place = await placeOf(context, location_uuid)
    const product = await findProduct(tx, place, product_id)
    if (!stats || !product) throw new Refusal('not_found', 'That product was not found.')
    const { from: start_date, to: end_date } = rangeOf(place, asked)
    const of = { source: product.source, productId: product_id, from: start_date, to: end_date }
    const { rows, opening, closing } = await withScope(tx, [place.id], () => pageRows(tx, place, of, MOST_PRINTED + 1))
    const { entries, head } = await countProducts(tx, place)
    const printed = rows.slice(0, MOST_PRINTED)
    const numbers = printed.map(({ number }) => number)
    const contradicted = await contradictedOf(tx, place.id, product.source, numbers)
    await noteRead(context, 's8.page', location_uuid, { rows: rows.length, start_date, end_date })
    return {
      location: stats.location,
      product: productAnswer(product),
      ...{ start_date, end_date, opening_balance: opening, closing_balance: closing },
      entries: printed.map(entryAnswer),
      ...{ cut: rows.length > MOST_PRINTED, contradicted },
      chain: { entries, head },
      check: checkAnswer(stats),
      printed_at: now.toISOString(),
      printed_by: callerOf(context).username,
    }
  },

  async contradiction({ location_uuid, transaction_product_id }, context) {
    const place = await placeOf(context, location_uuid)
    const found = await findContradiction(tenantTx(context), place.id, transaction_product_id)
    if (!found) throw new Refusal('not_found', 'No other version of that entry was sent.')
    await noteRead(context, 's8.contradiction', location_uuid, { rows: 1 + found.sent.length })
    return { product_name: found.product_name, kept: versionAnswer(found.kept), sent: found.sent.map(versionAnswer) }
  },

  async check({ location_uuid }, context) {
    const tx = tenantTx(context)
    const { services } = context
    const place = await placeOf(context, location_uuid)
    const anchors = await registerAnchors(services)
    const verdict = await withScope(tx, [place.id], async () => {
      const [head] = await readRegisterHeads(tx)
      const gone = {
        locationId: place.id,
        uuid: location_uuid,
        pharmacy: place.name,
        seq: 0,
        hash: '',
        evidenceSeq: 0,
        evidenceHash: '',
      }
      if (!head && !anchors.has(place.id)) throw new Refusal('not_found', 'This pharmacy has sent no register yet.')
      return verifyOne(tx, head ?? gone, anchors.get(place.id), services.now())
    })
    context.about.name = place.name
    noteCounts(context, { rows: verdict.entries, faults: verdict.fault ? 1 : 0 })
    return checkAnswer(await findCheck(tx, place.id))
  },
}

const notFound = () => new Refusal('not_found', 'That pharmacy was not found.')

const tooLong = (most: string, doInstead: string) =>
  new Refusal('invalid', `More than ${most} match, too many for one file. Please ${doInstead}.`)

async function placeOf(context: Context, uuid: string): Promise<S8Place> {
  const place = await findPlace(tenantTx(context), uuid, context.services.now())
  if (!place) throw notFound()
  return place
}

/** Page counts under both names: the specification's `last_page`, and those of all other lists. */
const answerOf = <Row, Answer, Paged extends { page_count: number }>(
  { rows, ...paged }: { rows: Row[] } & Paged,
  map: (row: Row) => Answer,
) => ({ results: rows.map(map), ...paged, last_page: paged.page_count })

/** The requested days at the pharmacy; without a last day up to today, without a first day the month before. */
function rangeOf(
  place: S8Place,
  asked: { start_date?: string | null | undefined; end_date?: string | null | undefined },
) {
  const dayOf = (text: string) => dayFrom(text, place.time_zone)
  const to = dayOf(asked.end_date ?? place.today)
  const from = asked.start_date ? dayOf(asked.start_date) : addMonths(to, -1)
  if (from > to) throw new Refusal('invalid', 'Please choose a first day that is not after the last.')
  return { from: formatDay(from), to: formatDay(to) }
}

function zoneFor(timezone: string): string {
  if (timezone === '') return ''
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone
  } catch {
    throw new Refusal('invalid', 'That time zone is not known.')
  }
}

const silentIn = (uploads: Awaited<ReturnType<typeof lastUploads>>, now: Date) =>
  uploads.flatMap(({ id, uploaded_at, ...place }) =>
    uploaded_at < silentBefore({ businessDays: SILENT_DAYS }, calendarOf(place), now) ? [id] : [],
  )

const silentOf = async (tx: Tx, now: Date) => silentIn(await lastUploads(tx), now)

/** Records a read of a register: who looked at which pharmacy's, and how much of it. */
function noteRead(context: Context, action: string, object: string, detail: Readonly<Record<string, unknown>>) {
  return recordAudit(tenantTx(context), { caller: callerOf(context), action, object, detail })
}

const versionAnswer = (row: Version) => ({
  date: new Date(row.occurred_at).toISOString(),
  product_name: row.product_name,
  action: entryLabel(row.entry_type as EntryType),
  name: row.party_name,
  address: row.party_address,
  in: Number(row.quantity_in),
  out: Number(row.quantity_out),
  stated_balance: row.stated_balance === null ? null : Number(row.stated_balance),
  reference_number: row.reference,
  pharmacist: row.pharmacist,
  second_signer: row.second_signer,
  doctor: row.doctor,
  note: row.note,
  received_at: new Date(row.received_at).toISOString(),
})
