import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** A campaign whose approval ended, and its company. */
interface Voided {
  company_id: number
  campaign_uuid: string
  campaign_name: string
}

/**
 * Ends the open approvals that cover one of these templates with a different text from the present one, or that cover a deleted one. Call
 * it after the templates are written: approving or activating at the same moment then either waits for this or is waited for.
 * @returns the campaigns concerned
 */
export async function voidApprovalsOf(tx: Tx, templates: readonly string[], now: Date): Promise<Voided[]> {
  if (templates.length === 0) return []
  const { rows } = await sql<Voided>`
    update campaign_approval a set state = 'voided', ended_at = ${now}
    from campaign c
    where c.id = a.campaign_id and a.state in ('waiting', 'approved') and exists (
      select from jsonb_array_elements(a.content -> 'texts') x
      left join template t on t.uuid = (x ->> 'id')::uuid and t.removed_at is null
      where (x ->> 'id')::uuid = any(${[...templates]}::uuid[])
        and (t.name, t.body, t.subject, t.sms_template, t.email_template, t.message_kind) is distinct from
            (x ->> 'name', x ->> 'body', x ->> 'subject', (x ->> 'sms')::boolean, (x ->> 'email')::boolean, x ->> 'kind'))
    returning a.company_id, c.uuid as campaign_uuid, c.name as campaign_name`.execute(tx)
  return rows
}
