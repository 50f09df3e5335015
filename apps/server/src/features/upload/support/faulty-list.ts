import { type contract, type InputOf, Refusal } from '@pillar/contract'
import { REQUESTS_AT_ONCE } from '@pillar/contract/upload/etl'
import type { FaultyPharmacy } from '@pillar/contract/upload/etl-faulty'
import { counted } from '@pillar/domain/text/sentence'
import { formatDay } from '@pillar/domain/time/day'
import { nextStep, SILENCE, type Silence, silentDays } from '@pillar/domain/upload/faulty-upload'
import { noteChange, recordAudit } from '../../../api/audit.ts'
import { todayOf } from '../../../api/call/today.ts'
import { type Context, callerOf, type HandlersOf, staffTx } from '../../../api/context.ts'
import type { Tx } from '../../../db/database.ts'
import { calendarOf } from '../../../db/local-calendar.ts'
import { type FaultyAsk, type FaultyRow, listFaulty, matchingFaulty, stateKey } from './faulty.queries.ts'
import { faultyCsv } from './faulty-csv.ts'
import { findStaffLocations } from './queue.queries.ts'
import { cutsOf } from './up-to-date.ts'
import { listSupportPeople, lockWork, type SupportPerson, saveWork } from './work.queries.ts'

type Input = InputOf<typeof contract.etl.faulty>

/** More than any platform has. */
const FILE_ROWS = 100_000

/** The calls of the list of pharmacies whose uploads need attention. */
export const faultyHandlers: Pick<HandlersOf<typeof contract.etl>, 'faulty' | 'faultyCsv' | 'people' | 'work'> = {
  async faulty(input, context) {
    const tx = staffTx(context)
    const now = context.services.now()
    const ask = await asked(tx, input, now, assignedOf(input, callerOf(context).loginId))
    const { rows, total, stats } = await listFaulty(tx, ask)
    return {
      etl_items: rows.map((row) => itemOf(row, now)),
      current_page: input.page,
      page_count: Math.max(1, Math.ceil(total / input.per_page)),
      per_page: input.per_page,
      total,
      etl_stats: {
        TOTAL: stats.total,
        noUploadPharmacies: stats.silent,
        'NEVER UPLOADED': stats.never,
        COMPLETED: stats.completed,
      },
      breakdown: { states: stats.states ?? [], sources: stats.sources ?? [] },
      snoozed: stats.snoozed,
      oldest_added_at: stats.oldest_added_at,
      last_completed_at: stats.last_completed_at,
      checked_at: now.toISOString(),
    }
  },

  async faultyCsv(input, context) {
    const tx = staffTx(context)
    const now = context.services.now()
    const caller = callerOf(context)
    const ask = await asked(tx, input, now, assignedOf(input, caller.loginId))
    const { rows } = await listFaulty(tx, { ...ask, limit: FILE_ROWS, offset: 0 })
    const entry = { caller: { ...caller, companyId: null }, action: 'etl.faultyCsv', object: null }
    await recordAudit(tx, { ...entry, detail: { rows: rows.length } })
    const day = formatDay(todayOf(context))
    return { filename: `faulty-uploads-${day}.csv`, text: faultyCsv(rows.map((row) => itemOf(row, now))) }
  },

  async people(_input, context) {
    const people = await listSupportPeople(staffTx(context))
    return { data: people.map(({ id, uuid, name }) => ({ uuid, name, me: id === callerOf(context).loginId })) }
  },

  async work({ id, version, ...given }, context) {
    const tx = staffTx(context)
    const [place] = await findStaffLocations(tx, [id])
    if (!place) throw new Refusal('not_found', 'That pharmacy was not found.')
    const before = await lockWork(tx, place.id)
    if (version !== null && version !== undefined && version !== before.version) {
      const message = `Somebody else has changed "${place.name}" on this list since you opened it. Please look at it again.`
      throw new Refusal('conflict', message)
    }
    const people = await listSupportPeople(tx)
    const now = context.services.now()
    const after = { ...before, note: given.note?.trim() ?? before.note }
    if (given.assigned_to !== undefined) after.assigned_to = idOf(people, given.assigned_to)
    if (given.snoozed_until !== undefined) after.snoozed_until = dateOf(given.snoozed_until, now)
    if (given.snoozed_until_change !== undefined) {
      const input = { filters: { show_no_uploads: true } } as Input
      after.snoozed_state = given.snoozed_until_change
        ? await stateKey(tx, await asked(tx, input, now, null), place.id)
        : null
    }
    const shown = ({ assigned_to, note, snoozed_until, snoozed_state }: typeof before) => ({
      assigned_to: people.find((one) => one.id === assigned_to)?.name ?? null,
      ...{ note, snoozed_until, snoozed_until_change: snoozed_state !== null },
    })
    noteChange(context, id, shown(before), shown(after))
    return { version: await saveWork(tx, place.id, after, { loginId: callerOf(context).loginId, at: now }) }
  },
}

/**
 * The pharmacies that a filter of the list matches, as the list shows them.
 * @throws Refusal conflict if it matches another number than the screen showed, or more than one call may request
 */
export async function faultyMatching(
  context: Context,
  filter: InputOf<typeof contract.etl.request>['filter'] & object,
  expected: number | null | undefined,
): Promise<string[]> {
  const tx = staffTx(context)
  const assigned = assignedOf(filter, callerOf(context).loginId)
  const ask = await asked(tx, filter, context.services.now(), assigned)
  const found = await matchingFaulty(tx, { ...ask, limit: REQUESTS_AT_ONCE + 1, offset: 0 })
  if (found.length > REQUESTS_AT_ONCE)
    throw new Refusal('conflict', 'More than 1,000 pharmacies match. Please narrow the filters. Nothing was requested.')
  if (expected != null && expected !== found.length) {
    const now = counted(found.length, 'pharmacy matches', 'pharmacies match')
    throw new Refusal(
      'conflict',
      `${now} by now, not ${expected}. Please look at the list again. Nothing was requested.`,
    )
  }
  return found
}

const assignedOf = ({ assigned }: Pick<Input, 'assigned'>, mine: number) =>
  assigned === 'me' ? mine : assigned === 'nobody' ? 0 : null

function idOf(people: readonly SupportPerson[], uuid: string | null): number | null {
  if (uuid === null) return null
  const person = people.find((one) => one.uuid === uuid.toLowerCase())
  if (!person) throw new Refusal('not_found', 'That support person was not found.')
  return person.id
}

function dateOf(text: string | null, now: Date): Date | null {
  if (text === null) return null
  const until = new Date(text)
  if (until <= now) throw new Refusal('invalid', 'Please choose a time in the future.')
  return until
}

/** The question in the form SQL needs, with the cut for each place. */
async function asked(
  tx: Tx,
  input: Partial<Input> & Pick<Input, 'filters'>,
  now: Date,
  assigned: number | null,
): Promise<FaultyAsk> {
  const { hours, business_days, show_no_uploads } = input.filters
  const silence: Silence = hours ? { hours } : { businessDays: business_days ?? SILENCE.businessDays }
  const { page = 1, per_page = 10 } = input
  return {
    module: input.module ?? 'strong_pro',
    cuts: await cutsOf(tx, silence, now),
    silent: show_no_uploads,
    snoozed: input.snoozed ?? false,
    status: input.status ?? null,
    search: input.search_term ?? '',
    sort: input.sort_field ?? 'status',
    order: input.sort_order ?? 'desc',
    limit: per_page,
    offset: (page - 1) * per_page,
    now,
    assigned,
  }
}

function itemOf(
  { company_uuid, company_name, country, region, postcode, assigned_uuid, assigned_name, ...row }: FaultyRow,
  now: Date,
): FaultyPharmacy {
  const last = row.last_successful_upload_on
  const calendar = calendarOf({ country, region, postcode, time_zone: row.time_zone })
  return {
    ...row,
    company: { uuid: company_uuid, name: company_name },
    silent_days: silentDays(last === null ? null : new Date(last), calendar, now),
    next_step: nextStep({ state: row.status, faults: row.faults, requested: row.requested_at !== null }),
    assigned_to: assigned_uuid === null ? null : { uuid: assigned_uuid, name: assigned_name ?? '' },
  }
}
