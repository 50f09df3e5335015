import { Refusal } from '@pillar/contract'
import type { Filters } from '@pillar/contract/campaign/cohort'
import { LIVE_RUN_STATES } from '@pillar/domain/message/run-state'
import type { RecruiterType } from '@pillar/domain/trial/recruiter'
import { RECRUITER_TYPES } from '@pillar/domain/trial/recruiter'
import type { RebateType } from '@pillar/domain/trial/trial'
import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Tx } from '../../db/database.ts'
import { is, type ListAsk, pageOf } from '../../db/list.ts'
import { refuseTaken } from '../../db/taken.ts'
import { type TotalsRow, TRIAL_TOTALS } from './trial-location.queries.ts'

interface Partner {
  recruiter_provider_id: string
  name: string
  recruiter_or_provider: RecruiterType
}

export interface RebateColumns {
  refer_rebate_cents: number
  enroll_rebate_cents: number
  sr_refer_rebate_cents: number
  sr_enroll_rebate_cents: number
}

export interface TrialRow extends RebateColumns {
  trial_id: string
  name: string
  note: string
  eligibility_criteria: string
  filters: Filters
  recruiter: Partner
  provider: Partner
  rebate_type: RebateType
  start_date: string | null
  end_date: string | null
  active: boolean
  templates: { id: string; name: string }[]
  totals: TotalsRow & { locations: number }
  ethics: {
    number: string
    approving_body: string
    approved_on: string
    expires_on: string | null
    filename: string
    recorded_at: string
  } | null
  consent_form_version: number | null
  queued_messages: number
  not_cancelled: string[]
  version: number
}

const partner = (alias: 'r' | 'p') => {
  const at = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`json_build_object('recruiter_provider_id', ${at('uuid')}, 'name', ${at('name')},
    'recruiter_or_provider', ${at('recruiter_or_provider')})`
}

const LIVE = sql.join(LIVE_RUN_STATES.map((state) => sql.lit(state)))
const COLUMNS = sql`t.uuid as trial_id, t.name, t.note, t.eligibility_criteria, t.filters,
  ${partner('r')} as recruiter, ${partner('p')} as provider,
  t.refer_rebate_cents, t.enroll_rebate_cents, t.sr_refer_rebate_cents, t.sr_enroll_rebate_cents, t.rebate_type,
  t.start_day::text as start_date, t.end_day::text as end_date, t.active,
  coalesce((select json_agg(json_build_object('id', m.uuid, 'name', m.name) order by lower(m.name), m.id)
    from trial_template x join template m on m.id = x.template_id where x.trial_id = t.id and m.removed_at is null), '[]') as templates,
  ${TRIAL_TOTALS} as totals,
  (select json_build_object('number', e.number, 'approving_body', e.approving_body, 'approved_on', e.approved_on,
      'expires_on', e.expires_on, 'filename', e.filename,
      'recorded_at', to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    from trial_ethics_approval e where e.trial_id = t.id order by e.id desc limit 1) as ethics,
  (select max(f.version) from trial_consent_form f where f.trial_id = t.id) as consent_form_version,
  (select coalesce(sum(b.num_queued), 0)::int from message_run u join message_batch b on b.run_id = u.id where u.trial_id = t.id and u.state in (${LIVE})) as queued_messages,
  array(select distinct o.name from trial_status_change s join message_run u on u.trial_id = s.trial_id join company o on o.id = u.company_id
    where s.trial_id = t.id and s.cancel_messages and s.done_at is null and u.context = 'trial' and u.created_at <= s.at and u.state in (${LIVE}) order by 1) as not_cancelled,
  t.version`
const TRIALS = sql`trial t join recruiter_provider r on r.id = t.recruiter_id join recruiter_provider p on p.id = t.provider_id`

type Sort = 'name' | 'recruiter' | 'active' | 'start_date' | 'end_date'

/** One page of the trials, found by part of their name. */
export function listTrials(tx: Tx, active: boolean | null | undefined, input: ListAsk<Sort>) {
  return pageOf<TrialRow, Sort>(
    tx,
    {
      select: COLUMNS,
      from: TRIALS,
      where: [is(sql`t.active`, active)],
      search: [sql`t.name`],
      uuid: sql`t.uuid`,
      sort: {
        name: sql`lower(t.name)`,
        recruiter: sql`lower(r.name)`,
        active: sql`t.active`,
        start_date: sql`t.start_day`,
        end_date: sql`t.end_day`,
      },
      key: sql`t.id`,
      chosenByKey: true,
    },
    input,
  )
}

const NOT_FOUND = 'That clinical trial was not found.'

/** One trial. @throws Refusal not_found */
export async function findTrial(tx: Tx, uuid: string): Promise<TrialRow> {
  const { rows } = await sql<TrialRow>`select ${COLUMNS} from ${TRIALS} where t.uuid = ${uuid}`.execute(tx)
  if (!rows[0]) throw new Refusal('not_found', NOT_FOUND)
  return rows[0]
}

/** Locks a trial until the transaction ends. @throws Refusal not_found */
export async function lockTrial(tx: Tx, uuid: string) {
  const found = await tx
    .selectFrom('trial')
    .select(['id', 'name', 'active', 'version'])
    .where('uuid', '=', uuid)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found', NOT_FOUND)
  return found
}

/** Internal id of a trial. @throws Refusal not_found */
export async function trialId(tx: Tx, uuid: string): Promise<number> {
  const found = await tx.selectFrom('trial').select('id').where('uuid', '=', uuid).executeTakeFirst()
  if (!found) throw new Refusal('not_found', NOT_FOUND)
  return found.id
}

/** Internal id of a recruiter, or of a provider. @throws Refusal not_found */
export async function partnerId(tx: Tx, uuid: string, type: RecruiterType): Promise<number> {
  const found = await tx
    .selectFrom('recruiter_provider')
    .select('id')
    .where('uuid', '=', uuid)
    .where('recruiter_or_provider', '=', type)
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found', `That ${RECRUITER_TYPES[type].toLowerCase()} was not found.`)
  return found.id
}

/** Internal ids of global templates. @throws Refusal not_found if one is unknown, removed, or a company's */
export async function globalTemplateIds(tx: Tx, uuids: readonly string[]): Promise<number[]> {
  const wanted = [...new Set(uuids.map((uuid) => uuid.toLowerCase()))]
  const { rows } = await sql<{ id: number }>`
    select id from template where uuid = any (${wanted}::uuid[]) and company_id is null and removed_at is null`.execute(
    tx,
  )
  if (rows.length !== wanted.length) throw new Refusal('not_found', 'That global template was not found.')
  return rows.map((row) => row.id)
}

/** The fields of a trial that a form writes. Days as '2026-11-22'. */
export interface TrialColumns extends RebateColumns {
  name: string
  note: string
  eligibility_criteria: string
  recruiter_id: number
  provider_id: number
  rebate_type: RebateType
  start_day: string | null
  end_day: string | null
}

const taken = (name: string) => ({
  trial_name: `There is already a clinical trial called "${name}". Please enter another trial name.`,
})

/** Adds a trial, inactive. @returns its uuid @throws Refusal conflict if the name is taken, ignoring letter case */
export async function insertTrial(
  tx: Tx,
  columns: TrialColumns,
  filters: Filters,
  templateIds: readonly number[],
  by: { loginId: number; now: Date },
): Promise<string> {
  const uuid = uuidv7()
  const times = { created_by: by.loginId, created_at: by.now, updated_at: by.now }
  const { id } = await refuseTaken(taken(columns.name), () =>
    tx
      .insertInto('trial')
      .values({ ...columns, ...times, uuid, filters: JSON.stringify(filters) })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  await setTemplates(tx, id, templateIds)
  return uuid
}

/**
 * Changes a trial; null filters stay unchanged. @returns its new version
 * @throws Refusal conflict if the name is taken
 */
export async function updateTrial(
  tx: Tx,
  id: number,
  columns: TrialColumns,
  filters: Filters | null,
  templateIds: readonly number[],
  now: Date,
): Promise<number> {
  const counted = filters === null ? {} : { filters: JSON.stringify(filters) }
  const { version } = await refuseTaken(taken(columns.name), () =>
    tx
      .updateTable('trial')
      .set((eb) => ({ ...columns, ...counted, version: eb('version', '+', 1), updated_at: now }))
      .where('id', '=', id)
      .returning('version')
      .executeTakeFirstOrThrow(),
  )
  await setTemplates(tx, id, templateIds)
  return version
}

async function setTemplates(tx: Tx, trial: number, ids: readonly number[]): Promise<void> {
  await tx.deleteFrom('trial_template').where('trial_id', '=', trial).execute()
  if (ids.length === 0) return
  const rows = ids.map((template_id) => ({ trial_id: trial, template_id }))
  await tx.insertInto('trial_template').values(rows).execute()
}

export interface StatusChange {
  active: boolean
  notify_pharmacies: boolean
  cancel_messages: boolean
  start_day?: string
  end_day: string | null
}

/** Activates or deactivates a trial, and stores the work that follows. @returns the id of that work */
export async function changeStatus(
  tx: Tx,
  trial: number,
  { active, notify_pharmacies, cancel_messages, ...days }: StatusChange,
  by: { loginId: number; now: Date },
): Promise<number> {
  await tx
    .updateTable('trial')
    .set((eb) => ({ ...days, active, version: eb('version', '+', 1), updated_at: by.now }))
    .where('id', '=', trial)
    .execute()
  const { id } = await tx
    .insertInto('trial_status_change')
    .values({
      ...{ uuid: uuidv7(), trial_id: trial, active, notify_pharmacies, cancel_messages },
      ...{ login_id: by.loginId, at: by.now },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
