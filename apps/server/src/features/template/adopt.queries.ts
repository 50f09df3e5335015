import { Refusal } from '@pillar/contract'
import type { ConsentKind } from '@pillar/domain/consent/consent'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { insertTemplate } from './template.queries.ts'

/** A recommended template that is still offered. @throws Refusal not_found */
export async function findTemplateRecommendation(tx: Tx, uuid: string) {
  const found = await tx
    .selectFrom('template_recommendation')
    .select(['id', 'name', 'body', 'subject', 'sms_template', 'email_template'])
    .select(sql<ConsentKind>`message_kind`.as('message_kind'))
    .where('uuid', '=', uuid)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found', 'That recommended template was not found.')
  return found
}

/**
 * The company's own version of a recommended template: the one it made before, otherwise a copy under the same name (with a number appended
 * if the name is taken), inactive until its campaign is activated.
 * @returns the template's internal id
 * @throws Refusal not_found if the recommendation is unknown or withdrawn
 */
export async function ownTemplateOf(
  tx: Tx,
  uuid: string,
  by: { companyId: number; loginId: number; now: Date },
): Promise<number> {
  const { id: recommendationId, name, ...text } = await findTemplateRecommendation(tx, uuid)
  const { rows } = await sql<{ id: number | null; taken: string[] }>`
    select (select id from template where template_recommendation_id = ${recommendationId} and removed_at is null order by id desc limit 1) as id,
           array(select lower(t.name) from template t where t.removed_at is null) as taken`.execute(tx)
  const { id, taken } = rows[0]!
  if (id !== null) return id
  const free = [name, ...taken.map((_, index) => `${name} (${index + 2})`)].find(
    (wanted) => !taken.includes(wanted.toLowerCase()),
  )!
  const made = { ...text, name: free, active: false, recommendationId, ...by }
  return (await insertTemplate(tx, made)).id
}
