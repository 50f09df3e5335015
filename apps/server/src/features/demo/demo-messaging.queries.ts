import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import { inScope } from '../../db/scope.ts'
import { adoptSequence } from '../sequence/recommended.queries.ts'
import { DEMO_CAMPAIGNS, DEMO_SENDER, DEMO_SEQUENCES, DEMO_TEMPLATES } from './demo-messaging.ts'

/** A demo company with its pharmacies and the login shown as the author of its templates and campaigns; undefined if there is none. */
export async function findDemoCompany(system: Database, name: string, username: string) {
  const { rows } = await sql<{ id: number; login_id: number | null; location_ids: number[] }>`
    select c.id, (select l.id from login l where l.company_id = c.id and l.username = ${username}) as login_id,
           coalesce((select json_agg(p.id order by p.id) from location p where p.company_id = c.id and p.removed_at is null), '[]') as location_ids
    from company c where c.name = ${name} and c.demo`.execute(system)
  return rows[0]
}

/**
 * Gives a demo company its templates, campaigns and sequences, and one pharmacy a sender name, once: anything changed or deleted since is
 * never restored.
 */
export async function addDemoMessaging(
  app: Database,
  company: { id: number; login_id: number | null; location_ids: readonly number[] },
  now: Date,
): Promise<void> {
  await inScope(app, { companyId: company.id, locationIds: company.location_ids }, async (tx) => {
    const there = await tx.selectFrom('template').select('id').where('demo', '=', true).limit(1).executeTakeFirst()
    if (there) return
    await addTemplates(tx, company, now)
    await addCampaigns(tx, company, now)
    await addSequences(tx, company, now)
    await setSender(tx, company.location_ids[DEMO_SENDER.pharmacy])
  })
}

async function setSender(tx: Tx, locationId: number | undefined): Promise<void> {
  if (locationId === undefined) return
  const columns = { sms_sender: DEMO_SENDER.name, sms_sender_registered: DEMO_SENDER.registered }
  await tx.updateTable('location').set(columns).where('id', '=', locationId).execute()
}

async function addSequences(
  tx: Tx,
  company: { id: number; login_id: number | null; location_ids: readonly number[] },
  now: Date,
): Promise<void> {
  if (company.login_id === null) return
  const by = { companyId: company.id, loginId: company.login_id, now }
  for (const { uuid, pharmacy, recommendation, budgetCents } of DEMO_SEQUENCES) {
    const locationId = company.location_ids[pharmacy]
    if (locationId === undefined) continue
    const id = await adoptSequence(tx, locationId, recommendation, by, { uuid, budgetCents })
    // Its templates stay active; the sequence itself is switched on together with its past.
    const place = { location_id: locationId, id }
    await tx
      .updateTable('sequence')
      .set({ active: false })
      .where((eb) => eb.and(place))
      .execute()
  }
}

async function addTemplates(tx: Tx, company: { id: number; login_id: number | null }, now: Date): Promise<void> {
  for (const [index, { recommendation, ...columns }] of DEMO_TEMPLATES.entries()) {
    // One day apart each, so that the list has an order.
    const at = new Date(now.getTime() - (40 - index) * 86_400_000)
    const recommended = tx.selectFrom('template_recommendation').select('id').where('uuid', '=', recommendation!)
    await tx
      .insertInto('template')
      .values({
        ...columns,
        company_id: company.id,
        template_recommendation_id: recommendation === null ? null : recommended,
        created_by: company.login_id,
        created_at: at,
        updated_at: at,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

async function addCampaigns(
  tx: Tx,
  company: { id: number; login_id: number | null; location_ids: readonly number[] },
  now: Date,
): Promise<void> {
  for (const { templates, filters, pharmacies, ...columns } of DEMO_CAMPAIGNS) {
    const made = await tx
      .insertInto('campaign')
      .values({
        ...columns,
        filters: JSON.stringify(filters),
        company_id: company.id,
        demo: true,
        created_by: company.login_id,
        created_at: now,
        updated_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!made) continue
    await setPharmacies(tx, made.id, company.location_ids.slice(0, pharmacies))
    await sql`insert into campaign_template (campaign_id, company_id, template_id)
      select ${made.id}, ${company.id}, id from template where uuid = any (${[...templates]}::uuid[])`.execute(tx)
  }
}

/** The pharmacies of a campaign, as its owner chose them. */
export async function pharmaciesOf(tx: Tx, campaignId: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('campaign_location')
    .select('location_id')
    .where('campaign_id', '=', campaignId)
    .orderBy('location_id')
    .execute()
  return rows.map(({ location_id }) => Number(location_id))
}

/** Sets the pharmacies of a campaign. */
export async function setPharmacies(tx: Tx, campaignId: number, locationIds: readonly number[]): Promise<void> {
  await tx.deleteFrom('campaign_location').where('campaign_id', '=', campaignId).execute()
  await sql`insert into campaign_location (campaign_id, company_id, location_id)
    select c.id, c.company_id, u from campaign c, unnest(${[...locationIds]}::bigint[]) u where c.id = ${campaignId}`.execute(
    tx,
  )
}

/** A campaign of the demo network by its fixed id; undefined if it was deleted. */
export async function findDemoCampaign(tx: Tx, uuid: string): Promise<{ id: number; active: boolean } | undefined> {
  return tx.selectFrom('campaign').select(['id', 'active']).where('uuid', '=', uuid).executeTakeFirst()
}

export interface DemoSequence {
  location_id: number
  id: number
  time_zone: string
}

/** The sequences of the demo network that have not been removed or switched on yet. */
export async function findDemoSequences(tx: Tx): Promise<DemoSequence[]> {
  const { rows } = await sql<DemoSequence>`
    select q.location_id, q.id, l.time_zone from sequence q join location l on l.id = q.location_id
    where q.uuid = any (${DEMO_SEQUENCES.map(({ uuid }) => uuid)}::uuid[]) and q.removed_at is null and not q.active
    order by q.id`.execute(tx)
  return rows
}
