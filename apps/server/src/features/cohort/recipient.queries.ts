import type { Contacts } from '@pillar/domain/cohort/run-contacts'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { withScope } from '../../db/scope.ts'
import { historyOf, joined, leavesJoined, roomOf } from './frequency-limit.queries.ts'
import {
  baseReason,
  contacted,
  type filterIds,
  matches,
  placesOf,
  type Question,
  reachedElsewhere,
  recipients,
  share,
} from './selection.queries.ts'

/** One selected patient, with what their messages need. */
export interface Recipient {
  id: number
  /** The pharmacy's own number for the patient in its uploads. */
  source_id: string
  first_name: string | null
  last_name: string | null
  sms_to: string | null
  email_to: string | null
  fake: boolean
  /** Index in HELD_REASONS of what holds each channel back, before checking for duplicates; -1 for nothing. */
  sms: number
  email: number
  /** Which of several texts on each channel. */
  sms_text: number
  email_text: number
  /** How many more messages the frequency limits allow to the number, and to the address. */
  room: Contacts['room']
  /** Log entries behind the consent, by channel and kind. */
  sms_health_outreach_entry: number | null
  sms_marketing_entry: number | null
  email_health_outreach_entry: number | null
  email_marketing_entry: number | null
}

/** For each person, over `joined`. */
export const roomEach = (question: Question) =>
  sql`json_build_object('sms', ${roomOf(question, 'sms')}, 'email', ${roomOf(question, 'email')})`

/** The same person as `RunContacts` sees them. */
export const contactsOf = ({ sms_to, email_to, room }: Recipient): Contacts => ({ sms: sms_to, email: email_to, room })

/** Prepares once what every pharmacy of a run needs, as temporary tables `history`, `before` and `reached` of this transaction. */
export async function prepareSurroundings(tx: Tx, question: Question): Promise<void> {
  const history = sql`create temp table history on commit drop as ${historyOf(question)}`
  await withScope(tx, placesOf(question), () => history.execute(tx))
  const elsewhere = await reachedElsewhere(tx, question)
  for (const name of ['before', 'reached'] as const) {
    await sql`create temp table ${sql.ref(name)} on commit drop as with ${contacted(question, elsewhere)} select * from ${sql.ref(name)}`.execute(
      tx,
    )
  }
  await sql`create index on history (key)`.execute(tx)
  await sql`create index on before (location_id, patient_id)`.execute(tx)
  await sql`create index on reached (key)`.execute(tx)
  await sql`analyze history, before, reached`.execute(tx)
}

/**
 * Selected patients of one pharmacy after `afterId`, in order of id; at most `limit`. Needs `prepareSurroundings` and a scope narrowed to
 * the pharmacy.
 */
export async function nextRecipients(
  tx: Tx,
  question: Question,
  ids: Awaited<ReturnType<typeof filterIds>>,
  afterId: number,
  limit: number,
): Promise<Recipient[]> {
  const leaves = leavesJoined(question)
  const { rows } = await sql<Recipient>`
    select p.id, p.source_id, p.first_name, p.last_name, p.sms_to, p.email_to, p.fake,
           ${baseReason(question, 'sms', leaves)} as sms, ${baseReason(question, 'email', leaves)} as email,
           ${share(question.sms?.marketing.length ?? 0, question.seed)} as sms_text,
           ${share(question.email?.marketing.length ?? 0, question.seed)} as email_text,
           ${roomEach(question)} as room,
           c.sms_health_outreach_entry, c.sms_marketing_entry, c.email_health_outreach_entry, c.email_marketing_entry
    from ${recipients(question)} ${joined}
    join patient p on p.location_id = f.location_id and p.id = f.patient_id
    left join consent c on c.location_id = f.location_id and c.patient_id = f.patient_id
    where ${matches(question, ids)} and f.patient_id > ${afterId}
    order by f.patient_id limit ${limit}`.execute(tx)
  return rows
}
