import { Refusal } from '@pillar/contract'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** A campaign's text: an own template, or a recommended one under consideration before it is copied. */
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
 * The chosen texts, each once. For a recommended one that the company has adopted, its own version, changed or not: that is what the
 * campaign will send (`ownTemplateOf`). @throws Refusal not_found if one is unknown, deleted or another company's
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
