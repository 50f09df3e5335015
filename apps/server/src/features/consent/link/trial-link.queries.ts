import { sql } from 'kysely'
import type { Services } from '../../../api/context.ts'
import type { Database, Tx } from '../../../db/database.ts'
import { attemptHash, trialHash, trialToken, withdrawToken } from './consent-token.ts'

const DAY_MS = 24 * 3600_000
const LIFETIME_MS = 90 * DAY_MS
/** How long a page may ask again for the answer to its sign-up. */
const AGAIN_MS = DAY_MS

type LinkServices = Pick<Services, 'linkSecret' | 'publicUrl' | 'now'>

const pageOf = (services: Pick<LinkServices, 'publicUrl'>, path: string) =>
  new URL(`/clinicaltrial/${path}`, services.publicUrl()).href

/** An invitation about to be handed over. */
export interface InvitingMessage {
  locationId: number
  id: number
  patientId: number
}

/**
 * The links of invitations about to be handed over, by message id: each for one patient, pharmacy and trial. Requesting a message's link
 * again returns the same link and extends nothing.
 */
export async function trialLinks(
  tx: Tx,
  services: LinkServices,
  trial: { id: number; timeZone: string },
  messages: readonly InvitingMessage[],
): Promise<Map<number, string>> {
  const links = new Map<number, string>()
  if (messages.length === 0) return links
  const now = services.now()
  // The trial's last day ends by the pharmacy's own clock.
  const { rows: found } = await sql<{ end: Date | null }>`
    select (end_day + 1)::timestamp at time zone ${trial.timeZone} as end from trial where id = ${trial.id}`.execute(tx)
  const last = now.getTime() + LIFETIME_MS
  const expires_at = new Date(Math.min(last, found[0]?.end?.getTime() ?? last))
  const rows = messages.map(({ locationId, id, patientId }) => {
    const token = trialToken(services.linkSecret, { locationId, messageId: id })
    links.set(id, pageOf(services, token))
    return {
      location_id: locationId,
      trial_id: trial.id,
      patient_id: patientId,
      message_id: id,
      purpose: 'consent',
      token_hash: trialHash(services.linkSecret, 'consent', token),
      created_at: now,
      expires_at,
    }
  })
  await tx
    .insertInto('trial_link')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return links
}

/** A sample invitation link for measuring a text: exactly as long as a real one, and it opens nothing. */
export const trialLinkLike = (services: Pick<LinkServices, 'publicUrl'>) => pageOf(services, 'x'.repeat(22))

/** The same for the withdrawal link. */
export const withdrawLinkLike = (services: Pick<LinkServices, 'publicUrl'>) =>
  pageOf(services, `${'x'.repeat(22)}/withdraw`)

/** The patient who withdraws with a link. */
export interface TrialPatient {
  locationId: number
  trialId: number
  patientId: number
}

/** The link with which a patient withdraws; it never expires. Made only once per patient and trial. */
export async function withdrawLink(tx: Tx, services: LinkServices, who: TrialPatient) {
  const token = withdrawToken(services.linkSecret, who)
  await tx
    .insertInto('trial_link')
    .values({
      location_id: who.locationId,
      trial_id: who.trialId,
      patient_id: who.patientId,
      purpose: 'withdraw',
      token_hash: trialHash(services.linkSecret, 'withdraw', token),
      created_at: services.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return { withdraw_id: token, withdraw_url: pageOf(services, `${token}/withdraw`) }
}

/** A known link of a trial, found before anyone's company is known; whether it still works is another question. */
export interface OpenLink {
  id: number
  locationId: number
  companyId: number
  trialId: number
  timeZone: string
}

/**
 * The link behind a token; undefined if it is unknown, used or expired, or its pharmacy has left. A withdrawal link works as long as the
 * pharmacy's record does. `used` finds a link that somebody signed up with within the last day. Changes nothing.
 */
export async function findTrialLink(
  system: Database,
  secret: Buffer,
  which: 'consent' | 'used' | 'withdraw',
  token: string,
  now: Date,
): Promise<OpenLink | undefined> {
  const purpose = which === 'withdraw' ? 'withdraw' : 'consent'
  const live = {
    consent: sql`k.used_at is null and k.expires_at > ${now} and l.removed_at is null`,
    used: sql`k.used_at > ${new Date(now.getTime() - AGAIN_MS)} and l.removed_at is null`,
    withdraw: sql`true`,
  }[which]
  const { rows } = await sql<OpenLink>`
    select k.id, k.location_id as "locationId", l.company_id as "companyId", k.trial_id as "trialId", l.time_zone as "timeZone"
    from trial_link k join location l on l.id = k.location_id
    where k.token_hash = ${trialHash(secret, purpose, token)} and k.purpose = ${purpose} and ${live}`.execute(system)
  return rows[0]
}

/** The patient of a link and its invitation, inside the pharmacy's scope. */
export async function patientOfLink(tx: Tx, { locationId, id }: OpenLink) {
  return tx
    .selectFrom('trial_link')
    .select(['patient_id', 'message_id'])
    .where('location_id', '=', locationId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Uses up a link in one statement: of any number of concurrent calls exactly one gets its patient and invitation, the others undefined. */
export async function useTrialLink(tx: Tx, { locationId, id }: OpenLink, now: Date) {
  return tx
    .updateTable('trial_link')
    .set({ used_at: now })
    .where('location_id', '=', locationId)
    .where('id', '=', id)
    .where('purpose', '=', 'consent')
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['patient_id', 'message_id'])
    .executeTakeFirst()
}

/** The patient whom the page with this number signed up with a link; undefined if it was another page, or nobody was. */
export async function signedUpBy(
  tx: Tx,
  secret: Buffer,
  { locationId, id }: OpenLink,
  { token, attempt }: { token: string; attempt: string },
): Promise<number | undefined> {
  const row = await tx
    .selectFrom('trial_link')
    .select('patient_id')
    .where('location_id', '=', locationId)
    .where('id', '=', id)
    .where('attempt_hash', '=', attemptHash(secret, token, attempt))
    .executeTakeFirst()
  return row?.patient_id
}

/** Stores the words next to the button, and the number the page chose, with the link that was used. */
export async function keepAgreement(
  tx: Tx,
  secret: Buffer,
  { locationId, id }: OpenLink,
  { agreed_text, token, attempt }: { agreed_text: string; token: string; attempt: string | null },
): Promise<void> {
  await tx
    .updateTable('trial_link')
    .set({ agreed_text, attempt_hash: attempt === null ? null : attemptHash(secret, token, attempt) })
    .where('location_id', '=', locationId)
    .where('id', '=', id)
    .execute()
}
