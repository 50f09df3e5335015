import { type AnswerOf, type contract, Refusal } from '@pillar/contract'
import { Filters } from '@pillar/contract/campaign/cohort'
import { day as dayOf, formatDay } from '@pillar/domain/time/day'
import { activationProblem, statusDays } from '@pillar/domain/trial/trial'
import { noteChange } from '../../api/audit.ts'
import { todayOf } from '../../api/call/today.ts'
import { type Context, callerOf, type HandlersOf, staffTx } from '../../api/context.ts'
import { refuseStale } from '../../api/version.ts'
import { carryOutStatus } from './change/trial-status.jobs.ts'
import {
  changeStatus,
  findTrial,
  insertTrial,
  listTrials,
  lockTrial,
  type TrialRow,
  trialId,
  updateTrial,
} from './trial-admin.queries.ts'
import { countTrial } from './trial-count.jobs.ts'
import { checkedTrial, dayText, staffDay } from './trial-input.ts'
import { listTrialLocations, type TotalsRow } from './trial-location.queries.ts'

type Trial = AnswerOf<typeof contract.clinicalTrial.info>

export const clinicalTrialHandlers: HandlersOf<typeof contract.clinicalTrial> = {
  async search({ name, active, ...input }, context) {
    const ask = { ...input, search_term: input.search_term || name }
    const { rows, ...page } = await listTrials(staffTx(context), active, ask)
    return { clinical_trials: rows.map((row) => trialOf(row, context)), ...page }
  },

  async info({ trial_id }, context) {
    return trialOf(await findTrial(staffTx(context), trial_id), context)
  },

  async locationInfo({ trial_id, ...input }, context) {
    const tx = staffTx(context)
    const { rows, ...page } = await listTrialLocations(tx, await trialId(tx, trial_id), input)
    const locations = rows.map(({ counted_at, ...row }) => ({
      ...row,
      ...dollars(row),
      counted_at: counted_at?.toISOString() ?? null,
    }))
    return { locations, ...page }
  },

  async create(input, context) {
    const tx = staffTx(context)
    const { columns, filters, templateIds } = await checkedTrial(input, context)
    const by = { loginId: callerOf(context).loginId, now: context.services.now() }
    const id = await insertTrial(tx, columns, filters ?? Filters.parse({}), templateIds, by)
    await context.services.queue.send(tx, countTrial, { trial_id: await trialId(tx, id) })
    return { id }
  },

  async edit({ trial_id, version, ...input }, context) {
    const tx = staffTx(context)
    const found = await lockTrial(tx, trial_id)
    refuseStale(found, version)
    const { columns, filters, templateIds } = await checkedTrial(input, context)
    const before = await findTrial(tx, trial_id)
    const saved = await updateTrial(tx, found.id, columns, filters, templateIds, context.services.now())
    noteChange(context, trial_id, before, await findTrial(tx, trial_id))
    await context.services.queue.send(tx, countTrial, { trial_id: found.id })
    return { id: trial_id, version: saved }
  },

  async editActiveStatus({ trial_id, active, notify_pharmacies, cancel_messages, ...dates }, context) {
    const tx = staffTx(context)
    const found = await lockTrial(tx, trial_id)
    const before = await findTrial(tx, trial_id)
    if (found.active === active) {
      throw new Refusal(
        'conflict',
        `"${found.name}" is already ${active ? 'active' : 'inactive'}. Nothing was changed.`,
      )
    }
    const problem = active ? notReady(before, context) : ''
    if (problem !== '') throw new Refusal('conflict', problem)
    const given = { start: staffDay(dates.start_date, context), end: staffDay(dates.end_date, context) }
    const starts = before.start_date === null ? null : dayOf(before.start_date)
    const { end_day, ...rest } = statusDays(active, given, todayOf(context), starts)
    const first = 'start_day' in rest ? rest.start_day : starts
    if (first !== null && end_day !== null && end_day < first) {
      throw new Refusal('invalid', 'Please enter an end date on or after the start date.')
    }
    const start = 'start_day' in rest ? { start_day: formatDay(rest.start_day) } : {}
    const by = { loginId: callerOf(context).loginId, now: context.services.now() }
    const change = { active, notify_pharmacies, cancel_messages, ...start, end_day: dayText(end_day) }
    const changeId = await changeStatus(tx, found.id, change, by)
    await context.services.queue.send(tx, carryOutStatus, { change_id: changeId })
    const after = await findTrial(tx, trial_id)
    noteChange(context, trial_id, before, after)
    return { id: trial_id, active, start_date: after.start_date, end_date: after.end_date }
  },
}

const dollars = ({ rebate_cents, sr_rebate_cents }: Pick<TotalsRow, 'rebate_cents' | 'sr_rebate_cents'>) => ({
  rebate: rebate_cents / 100,
  sr_rebate: sr_rebate_cents / 100,
})

function trialOf(row: TrialRow, context: Context): Trial {
  return {
    ...row,
    filters: Filters.parse(row.filters),
    refer_rebate: row.refer_rebate_cents / 100,
    enroll_rebate: row.enroll_rebate_cents / 100,
    sr_refer_rebate: row.sr_refer_rebate_cents / 100,
    sr_enroll_rebate: row.sr_enroll_rebate_cents / 100,
    totals: { ...row.totals, ...dollars(row.totals) },
    not_ready: notReady(row, context),
  }
}

const notReady = ({ ethics, consent_form_version }: TrialRow, context: Context): string =>
  activationProblem({
    consentForm: consent_form_version !== null,
    ethics: ethics && { expires: ethics.expires_on === null ? null : dayOf(ethics.expires_on) },
    today: todayOf(context),
    country: callerOf(context).country,
  })
