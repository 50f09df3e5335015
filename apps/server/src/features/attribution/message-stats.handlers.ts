import { type contract, type InputOf, Refusal } from '@pillar/contract'
import { pagesOf, windowOf } from '@pillar/contract/wire/paging'
import { calendarLabel, calendarPeriod } from '@pillar/domain/time/calendar-period'
import { day as dayOf, formatDay } from '@pillar/domain/time/day'
import { cutTo, type PeriodChoice, priorSpan } from '@pillar/domain/time/period'
import { recordAudit } from '../../api/audit.ts'
import { todayOf } from '../../api/call/today.ts'
import { type Context, callerOf, type HandlersOf, tenantTx } from '../../api/context.ts'
import { resolveLocations } from '../location/location.queries.ts'
import { earlierStats, listStats, type StatRow } from './message-stat.queries.ts'
import { changesOf, codeOf, figuresOf, PERIOD_METHOD, statRows, sumStats } from './message-stats.ts'
import { statsCsvText } from './message-stats-csv.ts'

type StatsInput = InputOf<typeof contract.attribution.statsCsv>

export const attributionHandlers: HandlersOf<typeof contract.attribution> = {
  async stats({ page, ...input }, context) {
    const { rows, table, choice, earlier, compared_with } = await read(input, context)
    const changes = changesOf(rows, earlier)
    const { limit, offset } = windowOf(page)
    const totals = sumStats(rows)
    const { sms, email, reach, cost, revenue, revenue_change, roi, roi_cost, result } = figuresOf(totals)
    const dates = rows.flatMap((row) => (row.data_to ? [row.data_to] : [])).sort()
    const receipts = rows.flatMap((row) => (row.receipts_to ? [row.receipts_to.getTime()] : []))
    return {
      pharmacies: table.slice(offset, offset + limit),
      ...pagesOf(page, table.length),
      total_pharmacies: rows.length,
      ...{ total_sms: sms, total_email: email, total_reach: reach, total_cost: cost },
      ...{ total_revenue: revenue, total_revenue_change: revenue_change, total_roi: roi, total_result: result },
      total_roi_cost: roi_cost,
      ...{ total_sms_change: changes.sms_change, total_email_change: changes.email_change },
      ...{ total_reach_change: changes.reach_change, total_cost_change: changes.cost_change },
      compared_with,
      total_sms_parts: totals.sms_parts,
      num_campaign_messages: totals.campaign_messages,
      num_trial_messages: totals.trial_messages,
      num_normal_messages: totals.normal_messages,
      revenue_method_name: PERIOD_METHOD,
      period: spanOf(choice, context),
      receipts_to: receipts.length > 0 ? new Date(Math.max(...receipts)).toISOString() : null,
      data_to: dates.at(-1) ?? null,
    }
  },

  async statsCsv(input, context) {
    const { rows, table, choice } = await read(input, context)
    const detail = { period: calendarPeriod(choice).key, rows: table.length }
    const entry = { caller: callerOf(context), action: 'attribution.statsCsv', object: null, detail }
    await recordAudit(tenantTx(context), entry)
    const { country } = callerOf(context)
    const text = statsCsvText(figuresOf(sumStats(rows)), table, spanOf(choice, context), country)
    return { filename: `messages_${calendarPeriod(choice).key.replace('C', '')}.csv`, text }
  },

  async pharmacyStats({ pharmacy_id, ...choice }, context) {
    const tx = tenantTx(context)
    const ids = await resolveLocations(tx, [pharmacy_id])
    const row = (await listStats(tx, ids, codeOf(choice)))[0]
    if (!row) throw new Refusal('not_found', 'That pharmacy was not found.')
    return {
      pharmacy_id: row.uuid,
      ...figuresOf(row),
      num_campaign_messages: row.campaign_messages,
      num_trial_messages: row.trial_messages,
      num_normal_messages: row.normal_messages,
      ...{ delivered: row.sms + row.email, sent: row.sent, failed: row.failed, held_back: row.skipped },
      ...{ queued: row.queued, unknown: row.unknown, failures: row.failures },
    }
  },
}

async function read({ pharmacy_ids, search_term, sort_field, sort_order, ...choice }: StatsInput, context: Context) {
  const tx = tenantTx(context)
  const scope = callerOf(context).scope
  const ids = pharmacy_ids ? await resolveLocations(tx, [...new Set(pharmacy_ids)]) : scope.locationIds
  const rows: StatRow[] = ids.length === 0 ? [] : await listStats(tx, ids, codeOf(choice))
  const days = priorDays(choice, context)
  const before = ids.length === 0 ? [] : await earlierStats(tx, ids, days)
  const earlier = new Map(before.map((row) => [row.id, row]))
  const table = statRows(rows, earlier, { search: search_term, field: sort_field, order: sort_order })
  return { rows, table, choice, earlier, compared_with: { from: days.from, to: days.to } }
}

/** The same days of the year before, cut at today while the period runs. */
function priorDays(choice: PeriodChoice, context: Context) {
  const period = calendarPeriod(choice)
  const today = todayOf(context)
  const cut = cutTo(period, today) ?? period
  const { from, to } = priorSpan(cut.from, cut.to)
  const whole = cut.to === period.to
  return {
    from: formatDay(from),
    to: formatDay(to),
    period: whole ? codeOf({ ...choice, year: choice.year - 1 }) : null,
  }
}

/** The period's real dates, cut at today while it runs. */
function spanOf(choice: PeriodChoice, context: Context) {
  const today = todayOf(context)
  const period = calendarPeriod(choice)
  const cut = cutTo(period, today) ?? period
  return {
    key: period.key,
    label: calendarLabel(choice),
    from: formatDay(period.from),
    to: formatDay(cut.to),
    ends: formatDay(period.to),
    running: dayOf(formatDay(period.to)) > today,
  }
}
