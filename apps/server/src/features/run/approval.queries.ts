import { createHash } from 'node:crypto'
import { Filters } from '@pillar/contract/campaign/cohort'
import {
  type ApprovalAudience,
  type ApprovalContent,
  type ApprovalState,
  type ApprovalText,
  type Authors,
  type Ceiling,
  canonicalApproval,
} from '@pillar/domain/campaign/approval'
import { LIVE_RUN_STATES } from '@pillar/domain/message/run-state'
import { sql } from 'kysely'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Database, Tx } from '../../db/database.ts'
import type { CampaignText } from '../template/text.queries.ts'

/** SHA-256 of the canonical form of the approved content, in lower-case hex. */
export const approvalHash = (content: ApprovalContent, ceiling: Ceiling): string =>
  createHash('sha256').update(canonicalApproval(content, ceiling)).digest('hex')

/** A stored approval; people by their internal ids and, if they belong to the company, by name. */
export interface Approval {
  id: number
  campaign_id: number
  state: ApprovalState
  content: ApprovalContent
  hash: string
  max_people: number
  max_cents: number
  asked_by: number
  asked_name: string | null
  asked_at: Date
  decided_name: string | null
  decided_at: Date | null
  reason: string | null
}

/** The most an approved campaign may send: people, and cents. */
export const ceilingOf = ({ max_people, max_cents }: Pick<Approval, 'max_people' | 'max_cents'>): Ceiling => ({
  people: max_people,
  cents: Number(max_cents),
})

const COLUMNS = sql`
  a.id, a.campaign_id, a.state, a.content, a.hash, a.max_people, a.max_cents, a.asked_by, n.name as asked_name, a.asked_at,
  d.name as decided_name, a.decided_at, a.reason`
const FROM = sql`campaign_approval a left join login_name n on n.login_id = a.asked_by left join login_name d on d.login_id = a.decided_by`

/** The newest request for approval of a campaign, whatever its outcome; null before the first. */
export async function newestApproval(tx: Tx, campaignId: number): Promise<Approval | null> {
  const { rows } = await sql<Approval>`
    select ${COLUMNS} from ${FROM} where a.campaign_id = ${campaignId} order by a.id desc limit 1`.execute(tx)
  return rows[0] ?? null
}

/** One request for approval, whatever its outcome; null if there is none with this id. */
export async function findApproval(tx: Tx, id: number): Promise<Approval | null> {
  const { rows } = await sql<Approval>`select ${COLUMNS} from ${FROM} where a.id = ${id}`.execute(tx)
  return rows[0] ?? null
}

/** The open approval of a campaign, waiting or approved, locked until the transaction ends, so that edits of its texts wait. Null if none. */
export async function lockOpenApproval(tx: Tx, campaignId: number): Promise<Approval | null> {
  await sql`select id from campaign_approval where campaign_id = ${campaignId} and state in ('waiting', 'approved') for update`.execute(
    tx,
  )
  const { rows } = await sql<Approval>`
    select ${COLUMNS} from ${FROM} where a.campaign_id = ${campaignId} and a.state in ('waiting', 'approved')`.execute(
    tx,
  )
  return rows[0] ?? null
}

/** The approval with which a run was activated; null for a run that needed none. */
export async function approvalOfRun(tx: Tx, runId: number): Promise<Approval | null> {
  const { rows } = await sql<Approval>`
    select ${COLUMNS} from ${FROM} where a.run_id = ${runId} and a.state = 'used'`.execute(tx)
  return rows[0] ?? null
}

/** Waiting requests, the oldest first. */
export async function waitingApprovals(tx: Tx) {
  const { rows } = await sql<Approval & { campaign_uuid: string; name: string }>`
    select ${COLUMNS}, c.uuid as campaign_uuid, c.name
    from ${FROM} join campaign c on c.id = a.campaign_id
    where a.state = 'waiting' and c.removed_at is null order by a.id`.execute(tx)
  return rows
}

/** Logins of the company that may send campaigns, by name. */
export async function campaignSenders(tx: Tx): Promise<{ login_id: number; name: string }[]> {
  return tx.selectFrom('campaign_sender').select(['login_id', 'name']).orderBy('name').execute() as Promise<
    { login_id: number; name: string }[]
  >
}

/** A text as an approval stores it. */
export const approvedText = (text: CampaignText): ApprovalText => ({
  ...{ id: text.uuid, name: text.name, sms: text.sms_template, email: text.email_template },
  ...{ kind: text.message_kind, subject: text.subject, body: text.body },
})

/** The audience rule of a campaign as an approval stores it. Pharmacies by uuid. */
export const approvedAudience = (
  filters: unknown,
  pharmacies: readonly string[],
  holdout: number | null,
): ApprovalAudience => ({ filters: Filters.parse(filters), pharmacies, holdout })

/** The content an approval of a campaign would cover now: with all its templates, active or not. */
export async function contentOf(tx: Tx, campaignId: number): Promise<ApprovalContent> {
  const { rows } = await sql<
    ApprovalContent['campaign'] & { filters: unknown; pharmacies: string[] | null; holdout: number | null }
  >`
    select c.uuid as id, c.name, c.note, c.goal_type, c.measure_by, c.goal, c.start_day as start, c.filters,
      -- An end that deactivating has set is none: an activation passes it over.
      case when not c.ended_early then c.end_day end as end,
      case when not c.no_holdout
        then coalesce((select s.holdout_percent from messaging_setting s where s.company_id = c.company_id), 0) end as holdout,
      (select json_agg(l.uuid) from campaign_location cl join location l on l.id = cl.location_id
       where cl.campaign_id = c.id and l.removed_at is null) as pharmacies
    from campaign c where c.id = ${campaignId}`.execute(tx)
  const { filters, pharmacies, holdout, ...campaign } = rows[0]!
  const texts = await sql<CampaignText>`
    select t.id, t.uuid, t.name, t.body, t.subject, t.sms_template, t.email_template, t.message_kind
    from campaign_template ct join template t on t.id = ct.template_id
    where ct.campaign_id = ${campaignId} and t.removed_at is null`.execute(tx)
  return {
    campaign,
    texts: texts.rows.map(approvedText),
    audience: approvedAudience(filters, pharmacies ?? [], holdout),
  }
}

/**
 * Everyone who worked on a campaign or its present texts, by internal ids. A person who was removed and added again with the same address
 * has two logins but is one person; `system` finds this out, because a company sees no removed logins.
 */
export async function authorsOf(
  tx: Tx,
  system: Database,
  campaignId: number,
  askedBy: number | null,
): Promise<Authors> {
  const { rows } = await sql<Omit<Authors, 'asked_by'>>`
    select array_remove(array[c.created_by], null) as written_by, array_remove(c.editors || c.changed_by, null) as changed_by,
      array(select distinct e from campaign_template ct join template t on t.id = ct.template_id, unnest(t.editors) e
            where ct.campaign_id = c.id and t.removed_at is null) as text_editors
    from campaign c where c.id = ${campaignId}`.execute(tx)
  const { written_by, changed_by, text_editors } = rows[0]!
  const asked_by = askedBy === null ? [] : [askedBy]
  const ids = [...written_by, ...changed_by, ...text_editors, ...asked_by]
  const others = await sql<{ id: number; other: number }>`
    select a.id, b.id as other from login a join login b on lower(b.email) = lower(a.email) and b.id <> a.id
    where a.id = any(${ids}::bigint[])`.execute(system)
  const all = (own: readonly number[]) => [
    ...own,
    ...others.rows.filter(({ id }) => own.includes(id)).map(({ other }) => other),
  ]
  return {
    ...{ written_by: all(written_by), changed_by: all(changed_by) },
    ...{ text_editors: all(text_editors), asked_by: all(asked_by) },
  }
}

/** Locks the texts of a campaign until the transaction ends. Call it before locking its approval, in the same order as an edit of a text. */
export async function lockTexts(tx: Tx, campaignId: number): Promise<void> {
  await sql`select t.id from campaign_template ct join template t on t.id = ct.template_id
    where ct.campaign_id = ${campaignId} order by t.id for update of t`.execute(tx)
}

/** Forgets who edited the locked texts of a campaign, because a second person has approved them: later editors count anew. */
export async function clearTextEditors(tx: Tx, campaignId: number): Promise<void> {
  await sql`update template t set editors = '{}' from campaign_template ct
    where ct.template_id = t.id and ct.campaign_id = ${campaignId} and t.editors <> '{}'`.execute(tx)
}

/** Names of pharmacies of the company, by their ids, in order of name. */
export async function pharmacyNames(tx: Tx, ids: readonly string[]): Promise<{ location_id: string; name: string }[]> {
  const { rows } = await sql<{ location_id: string; name: string }>`
    select uuid as location_id, name from location where uuid = any(${[...ids]}::uuid[]) order by name, uuid`.execute(
    tx,
  )
  return rows
}

/** The last day a campaign's live run may send: as approved, otherwise as saved. Null for no last day, undefined without a live run. */
export async function lastDayOf(
  tx: Tx,
  campaignId: number,
): Promise<{ last: string | null; approved: boolean } | undefined> {
  const { rows } = await sql<{ last: string | null; approved: boolean }>`
    select case when a.id is null then c.end_day::text else a.content -> 'campaign' ->> 'end' end as last, a.id is not null as approved
    from message_run r join campaign c on c.id = r.campaign_id
    left join campaign_approval a on a.run_id = r.id and a.state = 'used'
    where r.campaign_id = ${campaignId} and r.state = any(${[...LIVE_RUN_STATES]})`.execute(tx)
  return rows[0]
}

/** Adds a request for approval. A campaign has at most one open request: a second violates a unique index. @returns its id */
export async function insertApproval(
  tx: Tx,
  ask: {
    companyId: number
    campaignId: number
    loginId: number
    now: Date
    content: ApprovalContent
    ceiling: Ceiling
  },
): Promise<number> {
  const { id } = await tx
    .insertInto('campaign_approval')
    .values({
      uuid: uuidv7(),
      company_id: ask.companyId,
      campaign_id: ask.campaignId,
      state: 'waiting',
      content: JSON.stringify(ask.content),
      hash: approvalHash(ask.content, ask.ceiling),
      max_people: ask.ceiling.people,
      max_cents: ask.ceiling.cents,
      asked_by: ask.loginId,
      asked_at: ask.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Records the second person's decision on a locked request. */
export async function decideApproval(
  tx: Tx,
  id: number,
  said: { state: 'approved' | 'declined'; loginId: number; reason: string | null; now: Date },
): Promise<void> {
  await tx
    .updateTable('campaign_approval')
    .set({ state: said.state, decided_by: said.loginId, decided_at: said.now, reason: said.reason })
    .where('id', '=', id)
    .execute()
}

/** Ends a locked open approval: something it covers was changed, or a new one is requested. */
export async function endApproval(tx: Tx, id: number, now: Date): Promise<void> {
  await tx.updateTable('campaign_approval').set({ state: 'voided', ended_at: now }).where('id', '=', id).execute()
}

/** Uses up a locked approval on a run. */
export async function spendApproval(tx: Tx, id: number, runId: number, now: Date): Promise<void> {
  await tx
    .updateTable('campaign_approval')
    .set({ state: 'used', run_id: runId, ended_at: now })
    .where('id', '=', id)
    .execute()
}

/**
 * Holds back a run that differs from what was approved: it fails with the reason, its campaign is deactivated, and none of its messages
 * stay.
 * @returns the campaign, and the company for the log; null if the run ended or was written in the meantime
 */
export async function holdRun(
  tx: Tx,
  runId: number,
  reason: string,
  now: Date,
): Promise<{ uuid: string; name: string } | null> {
  // Locks the campaign first, in the same order as deactivating.
  await sql`select c.id from message_run r join campaign c on c.id = r.campaign_id where r.id = ${runId} for update of c`.execute(
    tx,
  )
  const { rows } = await sql<{ campaign_id: number }>`
    update message_run set state = 'failed', note = ${reason}, ended_at = ${now}
    where id = ${runId} and state in ('preparing', 'stopped') returning campaign_id`.execute(tx)
  if (!rows[0]) return null
  await sql`update campaign_approval set state = 'held', reason = ${reason}, ended_at = ${now} where run_id = ${runId}`.execute(
    tx,
  )
  const { rows: campaigns } = await sql<{ uuid: string; name: string }>`
    update campaign set active = false, updated_at = ${now} where id = ${rows[0].campaign_id} returning uuid, name`.execute(
    tx,
  )
  return campaigns[0] ?? null
}
