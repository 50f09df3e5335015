import { Refusal } from '@pillar/contract'
import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import { ownTemplateOf } from '../template/adopt.queries.ts'
import { setTemplateActive } from '../template/template.queries.ts'
import { RECOMMENDED_SEQUENCES } from './recommended.ts'
import { idOfEvent, insertSequence, type NewSequence, refuseTakenTitle } from './sequence.queries.ts'

/**
 * Makes sure an installation has the sequences Pillar recommends. Run it after the recommended templates. Existing ones stay as they are,
 * changed or withdrawn; several servers may start at once. One whose event support has given another meaning is left out.
 */
export async function ensureSequenceRecommendations(system: Database, now: Date): Promise<void> {
  await system.transaction().execute(async (tx) => {
    for (const { uuid, title, description, event, followUps } of RECOMMENDED_SEQUENCES) {
      const { rows } = await sql<{ id: number | null }>`select ${idOfEvent(event)} as id`.execute(tx)
      const eventId = rows[0]?.id ?? null
      if (eventId === null) continue
      const made = await tx
        .insertInto('sequence_recommendation')
        .values({ uuid, title, description, sequence_event_id: eventId, published_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!made) continue
      await sql`
        insert into sequence_recommendation_template (sequence_recommendation_id, template_recommendation_id, follow_up_order, days_after)
        select ${made.id}, t.id, f.place, f.days
        from unnest(${followUps.map((one) => one.template)}::uuid[], ${followUps.map((one) => one.daysAfter)}::int[]) with ordinality as f(uuid, days, place)
        join template_recommendation t on t.uuid = f.uuid`.execute(tx)
    }
  })
}

/**
 * A pharmacy's own copy of a recommended sequence, with the company's own copies of its templates. Active by default, as are its templates.
 * @returns its internal id
 * @throws Refusal not_found if the recommendation is unknown or withdrawn, conflict if the pharmacy has one of that title
 */
export async function adoptSequence(
  tx: Tx,
  locationId: number,
  uuid: string,
  by: { companyId: number; loginId: number; now: Date },
  more: Partial<Omit<NewSequence, 'event' | 'recommendationId' | 'followUps'>> = {},
): Promise<number> {
  const { rows } = await sql<{
    id: number
    title: string
    description: string
    sequence_event_id: number
    marketing_consent: boolean
    health_outreach_consent: boolean
    templates: { uuid: string; follow_up_order: number; days_after: number }[]
  }>`
    select r.id, r.title, r.description, r.sequence_event_id, r.marketing_consent, r.health_outreach_consent,
      (select coalesce(jsonb_agg(jsonb_build_object('uuid', t.uuid, 'follow_up_order', l.follow_up_order, 'days_after', l.days_after)
         order by l.follow_up_order), '[]')
       from sequence_recommendation_template l join template_recommendation t on t.id = l.template_recommendation_id
       where l.sequence_recommendation_id = r.id and t.removed_at is null) as templates
    from sequence_recommendation r where r.uuid = ${uuid} and r.removed_at is null`.execute(tx)
  const found = rows[0]
  if (!found) throw new Refusal('not_found', 'That recommended sequence was not found.')
  const followUps: NewSequence['followUps'][number][] = []
  for (const { uuid: templateUuid, follow_up_order, days_after } of found.templates) {
    const templateId = await ownTemplateOf(tx, templateUuid, by)
    if (more.active !== false) await setTemplateActive(tx, templateId, true, by.now)
    followUps.push({ follow_up_order, days_after, templateId })
  }
  const sequence: NewSequence = {
    title: found.title,
    description: found.description,
    event: { id: found.sequence_event_id },
    recommendationId: found.id,
    preferred: 'sms',
    active: true,
    marketingConsent: found.marketing_consent,
    healthOutreachConsent: found.health_outreach_consent,
    followUps,
    ...more,
  }
  return refuseTakenTitle(sequence.title, () => insertSequence(tx, locationId, sequence, by.now))
}
