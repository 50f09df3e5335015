import type { SendingHours } from '@pillar/domain/time/quiet-hours'
import { sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'

export interface Sender {
  sms_sender: string | null
  sms_sender_registered: boolean
  sms_sender_registration: string | null
}

const NO_SENDER: Sender = { sms_sender: null, sms_sender_registered: false, sms_sender_registration: null }

/** The sender of the scope's company; all null and false if none was set. */
export async function readCompanySender(tx: Tx): Promise<Sender> {
  const row = await tx
    .selectFrom('messaging_setting')
    .select(['sms_sender', 'sms_sender_registered', 'sms_sender_registration'])
    .executeTakeFirst()
  return row ?? NO_SENDER
}

/** Sets the sender of a company that has sending rules. */
export async function saveCompanySender(tx: Tx, companyId: number, sender: Sender): Promise<void> {
  await tx.updateTable('messaging_setting').set(sender).where('company_id', '=', companyId).execute()
}

/** A pharmacy's own settings. */
export interface OwnRules extends Sender {
  week: SendingHours['week'] | null
  holidays_quiet: boolean | null
  cap_messages: number | null
  cap_hours: number | null
}

/** The own settings of the one pharmacy in scope; locked if they will be changed. */
export async function readOwnRules(
  tx: Tx,
  uuid: string,
  lock: boolean,
): Promise<OwnRules & { id: number; name: string; version: number }> {
  const { rows } = await sql<OwnRules & { id: number; name: string; version: number }>`
    select l.id, l.name, l.sms_sender, l.sms_sender_registered, l.sms_sender_registration, m.week, m.holidays_quiet,
      m.cap_messages, m.cap_hours, coalesce(m.version, 0) as version
    from location l left join location_messaging m on m.location_id = l.id
    where l.uuid = ${uuid} ${lock ? sql`for update of l` : sql``}`.execute(tx)
  if (!rows[0]) throw new Error('the scope of a call about a pharmacy holds that pharmacy')
  return rows[0]
}

/** Sets all of a pharmacy's own settings at once. */
export async function saveOwnRules(tx: Tx, locationId: number, rules: OwnRules, now: Date): Promise<void> {
  const { week, holidays_quiet, cap_messages, cap_hours, ...sender } = rules
  await tx.updateTable('location').set(sender).where('id', '=', locationId).execute()
  const columns = { week: week && JSON.stringify(week), holidays_quiet, cap_messages, cap_hours, updated_at: now }
  await tx
    .insertInto('location_messaging')
    .values({ location_id: locationId, ...columns })
    .onConflict((conflict) =>
      conflict
        .column('location_id')
        .doUpdateSet((eb) => ({ ...columns, version: eb('location_messaging.version', '+', 1) })),
    )
    .execute()
}
