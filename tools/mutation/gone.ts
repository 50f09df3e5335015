import { FEATURES, type Mutant, of } from './lines.ts'

const SENDING = `${FEATURES}/sending`
const GONE = `${SENDING}/gone.test.ts`
const COMPLAINT = `${FEATURES}/inbound/complaint.test.ts`

/** Lines that keep messages from numbers and addresses that do not exist, and from people who opted out at the gateway. */
export const GONE_MUTANTS: readonly Mutant[] = [
  ...of(
    `${SENDING}/gone.queries.ts`,
    GONE,
    ['sql`not p.fake and', 'sql`true and'],
    ['and (p.id, ${to(channel)}) in (', 'and (p.id, p.id::text) not in ('],
    ['is not null then 3 else 2 end', 'is not null then 2 else 2 end'],
    ['const GONE_DAYS = 180', 'const GONE_DAYS = 179'],
    ['const GONE_DAYS = 180', 'const GONE_DAYS = 181'],
    ['${goneAt(channel)} >= ${since}', '${goneAt(channel)} < ${since}'],
  ),
  ...of(`${SENDING}/record.queries.ts`, GONE, ['  await noteReached(tx, locationId, delivered)\n', '']),
  ...of(`${SENDING}/record.ts`, GONE, ['gone: change.gone && works', 'gone: change.gone']),
  ...of(`${SENDING}/claim.ts`, GONE, ['unreachable: !answer && message.gone', 'unreachable: false']),
  ...of(`${FEATURES}/cohort/selection.queries.ts`, GONE, ['when ${state} = 3 then', 'when ${state} = 4 then']),
  ...of(`${FEATURES}/inbound/reply.ts`, GONE, [
    'noteHeard(tx, place.locationId, from)',
    'noteHeard(tx, place.locationId, [])',
  ]),
  ...of(`${FEATURES}/upload/after-upload.jobs.ts`, GONE, ['      await forgetGone(tx, location.id, now)\n', '']),
  ...of(
    `${FEATURES}/cohort/contact.queries.ts`,
    `${FEATURES}/cohort/contact-rules.test.ts`,
    ['sms_gone_at = case when p.sms_to = n.sms_to then', 'sms_gone_at = case when true then'],
    ['email_gone_at = case when p.email_to = n.email_to then', 'email_gone_at = case when p.sms_to = n.sms_to then'],
  ),
  ...of(`${FEATURES}/sequence/channel.ts`, `${FEATURES}/sequence/recipients.test.ts`, [
    'sms ? due.sms_gone : due.email_gone',
    'due.email_gone',
  ]),
  ...of(
    `${FEATURES}/consent/trial/sign-up-confirmation.queries.ts`,
    `${FEATURES}/consent/trial/sign-up-confirmation.test.ts`,
    [' and v.gone_at is null', ''],
  ),
  ...of(
    `${FEATURES}/consent/complaint.queries.ts`,
    COMPLAINT,
    ['(sms ? numberHolders : addressees)', '(sms ? addressees : addressees)'],
    ["sms ? ('stop' as const) :", "sms ? ('unsubscribe' as const) :"],
  ),
  ...of(`${SENDING}/record.ts`, COMPLAINT, ['  await keepOptOuts(services, claim, answers)\n', '']),
  ...of('apps/server/src/api/intake/webhooks.ts', COMPLAINT, ['[readTwilioOptOut(query, form, now), ', '[']),
]
