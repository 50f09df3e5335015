import { Refusal } from '@pillar/contract'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** A text of a campaign: an own template, or a recommended one that is looked at before it becomes one. */
export interface CampaignText {
  /** Internal id of the own template; null for a recommended one. */
  id: number | null
  uuid: string
  name: string
  body: string
  subject: string | null
  sms_template: boolean
  email_template: boolean
  message_kind: 'health_outreach' | 'marketing'
}

const COLUMNS = sql`uuid, name, body, subject, sms_template, email_template, message_kind`

/**
 * The chosen texts, each once. For a recommended one that the company has made its own that own text, changed or not: it is what the
 * campaign will send (`ownTemplateOf`). @throws Refusal not_found when one is unknown, deleted or another company's
 */
export async function findTexts(
  tx: Tx,
  chosen: readonly { template_id?: string | null; template_recommendation_id?: string | null }[],
): Promise<CampaignText[]> {
  const own = [...new Set(chosen.flatMap((one) => one.template_id?.toLowerCase() ?? []))]
  const offered = [
    ...new Set(chosen.flatMap((one) => (one.template_id ? [] : (one.template_recommendation_id?.toLowerCase() ?? [])))),
  ]
  if (own.length + offered.length === 0) return []
  const { rows } = await sql<CampaignText & { asked: string }>`
    select uuid as asked, id, ${COLUMNS} from template where uuid = any(${own}::uuid[]) and removed_at is null and enterprise_template
    union all
    select r.uuid, t.* from template_recommendation r cross join lateral (
      select id, ${COLUMNS} from template where template_recommendation_id = r.id and removed_at is null
      union all
      select null, r.uuid, r.name, r.body, r.subject, r.sms_template, r.email_template, r.message_kind
      order by id desc nulls last limit 1) t
    where r.uuid = any(${offered}::uuid[]) and r.removed_at is null`.execute(tx)
  const found = new Set(rows.map((row) => row.asked))
  if (own.some((uuid) => !found.has(uuid))) throw new Refusal('not_found', 'That template was not found.')
  if (offered.some((uuid) => !found.has(uuid)))
    throw new Refusal('not_found', 'That recommended template was not found.')
  return [...new Map(rows.map(({ asked: _, ...text }) => [text.uuid, text])).values()]
}

/** The texts a campaign sends: its templates that are active. */
export async function textsOfCampaign(tx: Tx, campaignId: number): Promise<CampaignText[]> {
  const { rows } = await sql<CampaignText>`
    select t.id, t.uuid, t.name, t.body, t.subject, t.sms_template, t.email_template, t.message_kind
    from campaign_template ct join template t on t.id = ct.template_id
    where ct.campaign_id = ${campaignId} and t.removed_at is null and t.active`.execute(tx)
  return rows
}

/** Pharmacies of a campaign that are still the company's, by internal id. */
export async function pharmaciesOfCampaign(tx: Tx, campaignId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select l.id from campaign_location cl join location l on l.id = cl.location_id
    where cl.campaign_id = ${campaignId} and l.removed_at is null order by l.id`.execute(tx)
  return rows.map((row) => row.id)
}
