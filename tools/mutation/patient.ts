import { FEATURES, type Mutant, of } from './lines.ts'

const CONSENT = `${FEATURES}/consent`
const TRIAL = `${CONSENT}/trial`
const INBOUND = `${FEATURES}/inbound`
const KEY = 'k.id = ${keyId} and (k.ends_at is null or k.ends_at > ${now}) and l.removed_at is null'
const TICK = '!checked.ok || !(await firstUse(services, checked.once, CAPTCHA_SECONDS))'

/** Lines that decide what a patient's link opens, what a reply does, and who loses access. */
export const PATIENT_MUTANTS: readonly Mutant[] = [
  ...of(
    `${CONSENT}/consent-request.queries.ts`,
    `${CONSENT}/consent.test.ts`,
    [".where('r.used_at', 'is', null)\n", '\n'],
    [".where('r.expires_at', '>', now)\n", '\n'],
    [".where('l.removed_at', 'is', null)\n", '\n'],
    [".where('used_at', 'is', null)\n", '\n'],
  ),
  ...of(
    `${CONSENT}/consent-answer.queries.ts`,
    `${CONSENT}/consent.test.ts`,
    ['if (!(await isStillTheirs(tx, services.keys, { locationId, messageId: used.message_id }))) throw dead()', ''],
    ['if (!applies[kind] && input[field] !== null)', 'if (!applies[kind] && input[field] === undefined)'],
  ),
  ...of(
    `${CONSENT}/link/still-theirs.queries.ts`,
    [`${CONSENT}/consent.test.ts`, `${TRIAL}/trial-consent.test.ts`],
    ["case when p.contact_source <> ${contactSource('p')} then null when", 'case when'],
  ),
  ...of(`${CONSENT}/number-holder.queries.ts`, `${INBOUND}/reply-stop.test.ts`, [
    " and channel = 'sms' and sent_at is not null",
    " and channel = 'sms'",
  ]),
  ...of(`${CONSENT}/unsubscribe.ts`, `${CONSENT}/unsubscribe.test.ts`, [
    "if (place.channel !== 'email') throw dead()",
    '',
  ]),
  ...of(
    `${CONSENT}/unsubscribe.queries.ts`,
    `${CONSENT}/unsubscribe.test.ts`,
    [".where('channel', '=', channel)\n", '\n'],
    ["row.email_health_outreach === 'out' && row.email_marketing === 'out'", "row.email_marketing === 'out'"],
  ),
  ...of(
    `${CONSENT}/person-check.ts`,
    `${CONSENT}/consent.test.ts`,
    [TICK, '!checked.ok'],
    [TICK, '!(await firstUse(services, checked.once, CAPTCHA_SECONDS))'],
  ),
  ...of(
    `${CONSENT}/link-throttle.ts`,
    [`${CONSENT}/consent.test.ts`, `${CONSENT}/unsubscribe.test.ts`],
    ["if (!taken) throw tooMany('This page was opened too often from your network.', wait)", ''],
  ),
  ...of(
    `${CONSENT}/link/trial-link.queries.ts`,
    `${TRIAL}/trial-days.test.ts`,
    ['k.used_at is null and k.expires_at', 'k.expires_at'],
    [".where('used_at', 'is', null)\n", '\n'],
  ),
  ...of(`${CONSENT}/link/trial-link.queries.ts`, `${TRIAL}/trial-consent.test.ts`, [
    ' and k.expires_at > ${now} and l.removed_at',
    ' and l.removed_at',
  ]),
  ...of(
    `${TRIAL}/trial-consent.handlers.ts`,
    [`${TRIAL}/trial-consent.test.ts`, `${TRIAL}/trial-days.test.ts`],
    ['if (!(state?.active && state.ethicsApproved)) throw dead()', 'if (!state) throw dead()'],
    ['if (!(state?.active && state.ethicsApproved)) throw dead()', 'if (!state?.active) throw dead()'],
    ['refuseOtherText(page, input.form_version)', ''],
    [
      'if (!invited || !(await isStillTheirs(tx, keys, { locationId, messageId: invited.message_id }))) throw dead()',
      'if (!invited) throw dead()',
    ],
    ['input.id, address)\n  await requirePerson(services, input.captcha)', 'input.id, address)'],
  ),
  ...of(`${FEATURES}/trial/trial-state.queries.ts`, `${TRIAL}/trial-days.test.ts`, [
    'select coalesce(e.expires_on >= ${today}::date, true)',
    'select true',
  ]),
  ...of(
    `${INBOUND}/reply-stop.ts`,
    `${INBOUND}/reply-stop.test.ts`,
    ['if (reply.body === null) {', 'if (reply.body === undefined) {'],
    ["type: 'stop',\n        at: now,", "type: 'stop',\n        at: new Date(0),"],
  ),
  ...of(
    `${INBOUND}/reply.ts`,
    [`${INBOUND}/events.test.ts`, `${INBOUND}/reply.test.ts`],
    ['&& !confirmed && !again', '&& !again'],
    [".replace(/^#+/, '')", ''],
  ),
  ...of(`${CONSENT}/consent-log.queries.ts`, `${CONSENT}/unsubscribe.test.ts`, [
    'if (log.some((one) => one.uuid === uuid)) return',
    'if (log.length < 0) return',
  ]),
  ...of(`${CONSENT}/unsubscribe.queries.ts`, `${CONSENT}/unsubscribe.test.ts`, [
    '[...new Set([...holders, recipient.patient_id])]',
    '[...new Set(holders)]',
  ]),
  ...of(`${INBOUND}/reply.queries.ts`, `${INBOUND}/reply-stop.test.ts`, [
    "(where o.sms_health_outreach = 'out' and o.sms_marketing = 'out')",
    "(where o.sms_health_outreach = 'out')",
  ]),
  ...of(`${INBOUND}/confirmation.queries.ts`, `${INBOUND}/events.test.ts`, [
    'USEFUL_MINUTES * 60_000',
    'USEFUL_MINUTES * 3_600_000',
  ]),
  ...of(`${INBOUND}/reply.ts`, `${FEATURES}/sending/restore/restored.test.ts`, [
    '&& !confirmed && !again',
    '&& !confirmed',
  ]),
  ...of(
    `${FEATURES}/fake-patient/test-run.ts`,
    [`${FEATURES}/fake-patient/test-limit.test.ts`, `${FEATURES}/fake-patient/fake-patient.test.ts`],
    ['+ queued > MOST_TESTS_A_DAY', '> MOST_TESTS_A_DAY'],
    ["(channel === 'sms' ? patient.sms_reachable : patient.email_reachable) ? null : 'test_patient'", 'null'],
  ),
  // A person locked out stays locked out.
  ...of(
    `${FEATURES}/user/user-life.ts`,
    `${FEATURES}/user/user-life.test.ts`,
    ['await removeLogin(tx, found.id, context.services.now())\n    await shutOut(', 'await removeLogin('],
    ['await setDisabled(tx, found.id, context.services.now())\n      await shutOut(', 'await setDisabled('],
    ['if (!found.removed_at || !isRestorable(found.removed_at, services.now()))', 'if (!found.removed_at)'],
    ['const support = sr_login ? await lockSupport(tx) : []', 'const support: number[] = []'],
    ['hash, services.now(), true)', 'hash, services.now())'],
  ),
  ...of(`${FEATURES}/referral/own-recruiter.ts`, `${FEATURES}/referral/referral-isolation.test.ts`, [
    "return found?.recruiter_or_provider === 'recruiter' ? found : null",
    'return found',
  ]),
  ...of(
    `${FEATURES}/location/location-key.queries.ts`,
    `${FEATURES}/upload/upload-key.test.ts`,
    [KEY, 'k.id = ${keyId} and l.removed_at is null'],
    [KEY, 'k.id = ${keyId} and (k.ends_at is null or k.ends_at > ${now})'],
  ),
  ...of(`${FEATURES}/location/contact.ts`, `${FEATURES}/location/contact.test.ts`, [
    'number && !isMadeUpNumber(number) ? number',
    'number ? number',
  ]),
]
