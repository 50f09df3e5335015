import type { Channel } from '@pillar/domain/consent/consent'
import { safeValue } from '@pillar/domain/message/merge-field'
import { countSms, optOutFor, smsCents, withOptOut } from '@pillar/domain/message/sms-text'
import { confirmationOf, WITHDRAW_LINK } from '@pillar/domain/trial/agreement'
import { sql } from 'kysely'
import type { Services } from '../../../api/context.ts'
import { v7 as uuidv7 } from '../../../api/uuid.ts'
import type { Tx } from '../../../db/database.ts'
import { queueRecount } from '../../run/recount-queue.queries.ts'
import { withdrawLinkLike } from '../link/trial-link.queries.ts'

/** After this time the patient has forgotten what it is about; it allows for sending hours and a long weekend. */
const USEFUL_DAYS = 7

interface SignedUp {
  companyId: number
  locationId: number
  trialId: number
  patientId: number
  trial: string
  recruiter: string
  pharmacy: string
}

interface Reachable {
  channel: Channel
  contact: string
  sender: string | null
  fake: boolean
}

/**
 * How the pharmacy may write to a patient, preferring a text to an email; undefined if not at all. A contact typed into the form does not
 * count.
 */
async function reachable(tx: Tx, { locationId, patientId }: SignedUp): Promise<Reachable | undefined> {
  const { rows } = await sql<Reachable>`
    select v.channel, v.contact, coalesce(l.sms_sender, s.sms_sender) as sender, p.fake
    from patient p join location l on l.id = p.location_id
      left join messaging_setting s on s.company_id = l.company_id
      left join consent c on c.location_id = p.location_id and c.patient_id = p.id
      cross join lateral (values
        (1, 'sms', p.sms_to, p.sms_gone_at, c.sms_health_outreach, p.sms_opt_out and not coalesce(c.imported_sms_opt_out, false)),
        (2, 'email', p.email_to, p.email_gone_at, c.email_health_outreach, p.email_opt_out and not coalesce(c.imported_email_opt_out, false)))
        as v (place, channel, contact, gone_at, choice, imported_out)
    where p.location_id = ${locationId} and p.id = ${patientId} and v.contact is not null and v.gone_at is null
      and v.choice is distinct from 'out' and v.imported_out is not true
    order by v.place limit 1`.execute(tx)
  return rows[0]
}

/**
 * Queues the one message that says what a patient has signed up for and how to withdraw, in the sign-up's transaction, so each sign-up gets
 * exactly one. It goes through the ledger as health outreach does: sending hours, frequency limit and consent are checked when it is sent,
 * and only then is the link inserted.
 */
export async function queueSignUpConfirmation(
  tx: Tx,
  services: Pick<Services, 'publicUrl' | 'sms'>,
  who: SignedUp,
  now: Date,
): Promise<void> {
  const to = await reachable(tx, who)
  if (!to) return
  const { channel, contact, sender, fake } = to
  const sms = channel === 'sms'
  const words = confirmationOf({
    trial: safeValue(who.trial),
    pharmacy: safeValue(who.pharmacy),
    recruiter: safeValue(who.recruiter),
  })
  const body = sms ? withOptOut(words.text, optOutFor(sender ?? services.sms.defaultSender)) : words.text
  const parts = sms ? countSms(body.replaceAll(WITHDRAW_LINK, withdrawLinkLike(services))).parts : 0
  const own = { location_id: who.locationId, channel }
  const run = await tx
    .insertInto('message_run')
    .values({
      ...{
        uuid: uuidv7(),
        company_id: who.companyId,
        context: 'communication',
        trial_id: who.trialId,
        state: 'sending',
      },
      ...{ note: NAME, starts_at: now, ends_at: new Date(now.getTime() + USEFUL_DAYS * 86_400_000) },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const subject = sms ? null : words.subject
  const batch = await tx
    .insertInto('message_batch')
    .values({
      ...{
        ...own,
        uuid: uuidv7(),
        run_id: run.id,
        company_id: who.companyId,
        context: 'communication',
        template_name: NAME,
      },
      ...{ message_kind: 'health_outreach', subject, body: words.text, sms_sender: sms ? sender : null, next_at: now },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('message')
    .values({
      ...{
        ...own,
        run_id: run.id,
        batch_id: batch.id,
        patient_id: who.patientId,
        state: 'queued',
        contact,
        body,
        subject,
      },
      ...{ parts, cents: sms ? smsCents(parts) : 0, fake, planned_at: now },
    })
    .execute()
}

const NAME = 'Confirmation of a sign-up'

/** Cancels an unsent confirmation: a person who withdraws at once gets no message about having signed up. */
export async function cancelSignUpConfirmation(
  tx: Tx,
  { locationId, trialId, patientId }: Pick<SignedUp, 'locationId' | 'trialId' | 'patientId'>,
  now: Date,
): Promise<void> {
  await sql`
    update message m set state = 'skipped', reason = 'stopped', cents = 0, settled_at = ${now}
    from message_run r
    where m.location_id = ${locationId} and m.patient_id = ${patientId} and m.state = 'queued' and r.id = m.run_id
      and r.context = 'communication' and r.trial_id = ${trialId}`.execute(tx)
  await queueRecount(tx, [locationId])
}
