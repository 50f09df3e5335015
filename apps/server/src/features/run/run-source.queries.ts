import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { CampaignText } from '../template/text.queries.ts'

/** The texts of a campaign: its active templates. */
export async function textsOfCampaign(tx: Tx, campaignId: number): Promise<CampaignText[]> {
  const { rows } = await sql<CampaignText>`
    select t.id, t.uuid, t.name, t.body, t.subject, t.sms_template, t.email_template, t.message_kind
    from campaign_template ct join template t on t.id = ct.template_id
    where ct.campaign_id = ${campaignId} and t.removed_at is null and t.active`.execute(tx)
  return rows
}

/** Pharmacies of a campaign that still belong to the company, by internal id. */
export async function pharmaciesOfCampaign(tx: Tx, campaignId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select l.id from campaign_location cl join location l on l.id = cl.location_id
    where cl.campaign_id = ${campaignId} and l.removed_at is null order by l.id`.execute(tx)
  return rows.map((row) => row.id)
}
