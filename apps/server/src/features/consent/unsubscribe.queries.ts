import type { Tx } from '../../db/database.ts'

/** Who got a message, and at which address; undefined when there is no such message. */
export async function readRecipient(tx: Tx, locationId: number, messageId: number) {
  return tx
    .selectFrom('message')
    .select(['patient_id', 'contact'])
    .where('location_id', '=', locationId)
    .where('id', '=', messageId)
    .where('channel', '=', 'email')
    .executeTakeFirst()
}

/**
 * Whom unsubscribing an address concerns: the recipient, and every other patient of the pharmacy whose e-mail goes to the same address, as
 * with STOP; in the order of their ids, each with whether all its e-mail has ended already.
 */
export async function addressees(
  tx: Tx,
  locationId: number,
  recipient: { patient_id: number; contact: string | null },
): Promise<{ patientId: number; out: boolean }[]> {
  const rows = await tx
    .selectFrom('patient as p')
    .leftJoin('consent as c', (join) =>
      join.onRef('c.location_id', '=', 'p.location_id').onRef('c.patient_id', '=', 'p.id'),
    )
    .select(['p.id', 'c.email_health_outreach', 'c.email_marketing'])
    .where('p.location_id', '=', locationId)
    .where((where) =>
      where.or([
        where('p.id', '=', recipient.patient_id),
        ...(recipient.contact === null ? [] : [where('p.email_to', '=', recipient.contact)]),
      ]),
    )
    .orderBy('p.id')
    .execute()
  return rows.map((row) => ({
    patientId: row.id,
    out: row.email_health_outreach === 'out' && row.email_marketing === 'out',
  }))
}
