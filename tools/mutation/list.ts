import { ACCESS_MUTANTS } from './access.ts'
import { AT_ONCE_MUTANTS } from './at-once.ts'
import { DEATH_MUTANTS } from './deaths.ts'
import { FACT_MUTANTS } from './facts.ts'
import { GONE_MUTANTS } from './gone.ts'
import { FEATURES, type Mutant, of, RULES } from './lines.ts'
import { OUTGOING_MUTANTS } from './outgoing.ts'
import { PATIENT_MUTANTS } from './patient.ts'
import { RULE_MUTANTS } from './rules.ts'
import { STORED_MUTANTS } from './stored.ts'

const SENDER_TESTS = [`${FEATURES}/sending/sender.test.ts`, `${FEATURES}/sending/rough.test.ts`]

const SERVER_MUTANTS: readonly Mutant[] = [
  ...of(
    `${FEATURES}/sending/claim.ts`,
    SENDER_TESTS,
    ["consent: answer ? 'allowed' : permissionOf(message, facts),", "consent: 'allowed',"],
    ['contactValid: message.to !== null && (answer || contact === message.contact),', 'contactValid: true,'],
    ['deceased: !answer && message.deceased,', 'deceased: false,'],
    ["if (message.importedOut) return 'opted_out' as const", ''],
    ['caps.every((cap) => keepsCap(cap,', 'caps.some((cap) => keepsCap({ ...cap, messages: 99 },'],
    ['if (facts.left) return', 'if (facts.left && facts.test) return'],
    ['if (allowed.getTime() !== now.getTime()) {', 'if (allowed.getTime() < now.getTime()) {'],
  ),
  ...of(
    `${FEATURES}/sending/claim.queries.ts`,
    [...SENDER_TESTS, `${FEATURES}/sending/claim.test.ts`],
    ["and m.state = 'queued' and m.planned_at <=", 'and m.planned_at <='],
    [".where('b.stopped_at', 'is', null)", ''],
    [".where('r.state', 'in', ['holding', 'sending'])", ''],
  ),
  // A second person approves what was requested, and only that is sent.
  ...of(
    `${FEATURES}/campaign/approval/approval.handlers.ts`,
    [`${FEATURES}/campaign/approval/approval-hands.test.ts`, `${FEATURES}/campaign/approval/approval.test.ts`],
    ['if (open.hash !== hash || open.hash !== now)', 'if (open.hash !== hash)'],
    ["if (problem !== '') throw new Refusal('not_allowed', problem)", ''],
  ),
  ...of(
    `${FEATURES}/campaign/approval/approval-check.ts`,
    [`${FEATURES}/campaign/approval/approval-binds.test.ts`, `${FEATURES}/campaign/approval/approval-hands.test.ts`],
    ["if (state !== 'approved') {", "if (state === 'none') {"],
    ['if (canonicalSending({ ...now, texts }) !== canonicalSending(now))', 'if (texts.length === 0)'],
    ['if (last === null || (end !== null && end <= last)) return', 'if (last === null || end !== null) return'],
  ),
  ...of(
    `${FEATURES}/run/approval.queries.ts`,
    [`${FEATURES}/campaign/approval/approval-hands.test.ts`, `${FEATURES}/campaign/approval/approval-people.test.ts`],
    ['array_remove(c.editors || c.changed_by, null)', 'array_remove(array[c.changed_by], null)'],
    ['on lower(b.email) = lower(a.email) and', 'on b.email = a.email and'],
  ),
  // After a restore nothing is sent twice, and no replica of the past answers.
  ...of(
    `${FEATURES}/sending/restore/set-aside.queries.ts`,
    `${FEATURES}/sending/restore/set-aside.test.ts`,
    [
      "p.id = m.patient_id\n      where m.location_id = ${locationId} and b.company_id = ${companyId} and ${standing().state} in ('queued', 'sending')",
      "p.id = m.patient_id\n      where m.location_id = ${locationId} and b.company_id = ${companyId} and m.state = 'sending'",
    ],
    [
      "where r.state in ('preparing', 'stopped') and r.starts_at <= ${until}",
      "where r.state = 'stopped' and r.starts_at <= ${until}",
    ],
  ),
  ...of(`${RULES}/campaign/sequence.ts`, `${FEATURES}/sending/restore/restored.test.ts`, [
    "if (facts.restoredUntil !== null && due <= facts.restoredUntil) return skip('restored')",
    '',
  ]),
  ...of('apps/server/src/api/replica/position.queries.ts', 'apps/server/src/api/replica/replica-failing.test.ts', [
    ' and ${shows(started)} as reached',
    ' as reached',
  ]),
  ...of(
    `${FEATURES}/inbound/event.queries.ts`,
    `${FEATURES}/inbound/plain-event.test.ts`,
    ['case when v.failure is null then', 'case when false then'],
    ['case when v.failure is null then', 'case when true then'],
  ),
  ...of(`${FEATURES}/inbound/event.queries.ts`, `${FEATURES}/inbound/keys-away.test.ts`, [
    'failure !== null && event.sealed === null',
    'failure !== null',
  ]),
  ...of(`${FEATURES}/inbound/event.queries.ts`, `${FEATURES}/inbound/reply-first.test.ts`, [
    'replies: sql`and ${NO_RECEIPT} and not ${IS_CONSENT}`',
    'replies: sql`and ${NO_RECEIPT}`',
  ]),
  ...of('apps/server/src/gateways/gateway-event.queries.ts', `${FEATURES}/inbound/keys-away.test.ts`, [
    '{ ...visible, [CONSENT_MARK]: true }',
    '{ ...event, [CONSENT_MARK]: true }',
  ]),
  ...of(`${FEATURES}/sending/record.queries.ts`, 'apps/server/test/field/contacts-at-rest.test.ts', [
    'reason === null || to === null ? null : withoutContact(reason, to)',
    'reason',
  ]),
  ...of(
    'apps/server/src/db/field/contact.ts',
    `${FEATURES}/cohort/fill-contacts.test.ts`,
    ['return isHandle(contact) ? [handle] : [handle, contact]', 'return [handle]'],
    ['return isHandle(contact) ? [handle] : [handle, contact]', 'return [contact]'],
  ),
  // An unopened value counts as nobody's number, and no key is thrown away because of it.
  ...of('apps/server/src/db/field/rotation.ts', 'apps/server/src/db/field/altered.test.ts', [
    'if (altered > 0)',
    'if (altered < 0)',
  ]),
  ...of('apps/server/src/db/field/sweep.ts', 'apps/server/src/db/field/rotation.test.ts', [
    'for no key update skip locked',
    'for update',
  ]),
  ...of(`${FEATURES}/cohort/contact.queries.ts`, 'apps/server/src/db/field/altered.test.ts', [
    'case when not n.altered then n.source end',
    'n.source',
  ]),
  ...of('apps/server/src/db/field/new-keys.ts', 'apps/server/src/db/field/before-sealed.test.ts', [
    'if (missing.length > 0) await refuseOlderProcesses(tx)',
    '',
  ]),
  ...of('apps/server/src/db/field/key-ring.ts', 'apps/server/src/db/field/key-ring.test.ts', [
    'if (sealed) await load(env, system, new Map())',
    '',
  ]),
  ...of(`${FEATURES}/sending/history.queries.ts`, `${FEATURES}/cohort/fill-contacts.test.ts`, [
    'older.get(one) === one ? of(one) : [...of(older.get(one)), ...of(one)]',
    'of(one)',
  ]),
  ...of(
    'apps/server/src/gateways/sms/receipt-url.ts',
    ['apps/server/src/api/intake/webhooks.test.ts'],
    ['isFresh(made, now) && sameText(sig, sign(secret, reference, made))', 'isFresh(made, now)'],
    [
      'isFresh(made, now) && sameText(sig, sign(secret, reference, made))',
      'sameText(sig, sign(secret, reference, made))',
    ],
  ),
  ...of(`${FEATURES}/consent/link/consent-token.ts`, `${FEATURES}/consent/link/consent-token.test.ts`, [
    'a.length === b.length && timingSafeEqual(a, b)',
    'a.length === b.length',
  ]),
  ...of(
    `${FEATURES}/audit/verify.queries.ts`,
    `${FEATURES}/audit/chain.test.ts`,
    ['where not there or not good', 'where not there'],
    ['coalesce(a.company_id, 0) = s.chain and s.hash', 's.hash'],
  ),
  ...of(
    `${FEATURES}/audit/verify.ts`,
    `${FEATURES}/audit/anchored-over.test.ts`,
    ['seq > head.seq || seals.get(seq) !== hash', 'seals.get(seq) !== hash'],
    ['seq > head.seq || seals.get(seq) !== hash', 'seq > head.seq'],
    ['    anchors.flatMap(({ heads }) => heads),', '    anchors.slice(-1).flatMap(({ heads }) => heads),'],
  ),
  ...of(
    'apps/server/migrations/0083_s8.sql',
    [`${FEATURES}/s8/load/register-load.test.ts`],
    [
      'grant select, insert on s8_entry, s8_contradiction',
      'grant select, insert, update, delete on s8_entry, s8_contradiction',
    ],
  ),
  // A message the gateway is unsure of is never sent again; a START counts for whoever has the number now.
  ...of(`${FEATURES}/sending/reconcile.ts`, `${FEATURES}/sending/answers.test.ts`, [
    "  if (found.kind === 'unsure') {",
    "  if (found.kind === 'unsure' && row.attempts > 1) {",
  ]),
  ...of(`${FEATURES}/inbound/number-consent.ts`, `${FEATURES}/inbound/start-again.test.ts`, [
    'if (before) {',
    'if (false) {',
  ]),
  ...of(`${FEATURES}/inbound/number-consent.ts`, `${FEATURES}/inbound/events.test.ts`, [
    "type === 'stop' ? patientsWithNumber : patientsReachedAt",
    'patientsWithNumber',
  ]),
  ...of('apps/server/src/api/call/request-key.ts', 'apps/server/src/api/call/request-key.test.ts', [
    'if (!found.body_hash.equals(kept.body))',
    'if (found.body_hash.length === 0)',
  ]),
  ...of(`${FEATURES}/saved-view/saved-view.handlers.ts`, `${FEATURES}/saved-view/two-editors.test.ts`, [
    'if (version != null && version !== view.version)',
    'if (version != null && version > view.version)',
  ]),
  ...of('apps/server/src/api/call/heavy.ts', 'apps/server/src/api/call/heavy.test.ts', [
    'if (this.#count(companyId) < this.#atOnce)',
    'if (this.#count(companyId) <= this.#atOnce)',
  ]),
  ...of('apps/server/src/api/deadline.ts', 'apps/server/src/api/deadline.test.ts', [
    'if (long.has(raw) && socket.bytesRead !== read) {',
    'if (socket.bytesRead !== read) {',
  ]),
  ...of('apps/server/src/api/log.ts', 'apps/server/src/api/log.test.ts', ["    'err.detail',\n", '']),
  ...of(`${FEATURES}/upload/read/plain-file.ts`, `${FEATURES}/upload/read/bad-input.test.ts`, [
    'bytes > gunzip.bytesWritten * MAX_RATIO)',
    'bytes > gunzip.bytesWritten * MAX_RATIO * 1000)',
  ]),
  ...of(`${FEATURES}/template/email-layout.ts`, `${FEATURES}/template/email-layout.test.ts`, [
    '/[&<>"\']/g',
    '/[&<>]/g',
  ]),
  ...of(`${FEATURES}/erasure/nameless.queries.ts`, `${FEATURES}/erasure/erasure.test.ts`, [
    'authority = null, original_pharmacy = null',
    'authority = null',
  ]),
  ...of(`${FEATURES}/erasure/erased-stage.queries.ts`, `${FEATURES}/erasure/several-erased.test.ts`, [
    'set source_id = free.alias, ${NAMELESS}',
    'set source_id = free.alias',
  ]),
  // Nor does an erasure take a STOP, or the frequency limit, from somebody else with the number.
  ...of(`${FEATURES}/erasure/erase-outside.queries.ts`, `${FEATURES}/erasure/erase-in-hand.test.ts`, [
    '(done_at is null and payload ?',
    '(false and payload ?',
  ]),
  ...of(`${FEATURES}/erasure/erase.queries.ts`, `${FEATURES}/erasure/earlier.test.ts`, [
    '.filter((one) => !others.includes(one))',
    '',
  ]),
  // Links, proofs and files: nobody may guess, replay or run them.
  ...of(`${FEATURES}/consent/link/trial-link.queries.ts`, `${FEATURES}/consent/way-out.test.ts`, [
    'k.expires_at > ${now} and l.removed_at is null',
    'k.expires_at > ${now}',
  ]),
  ...of(`${FEATURES}/consent/trial/trial-consent.handlers.ts`, `${FEATURES}/consent/way-out.test.ts`, [
    'const good = await countLinkUse(services, address)',
    'const good = async () => {}',
  ]),
  ...of(`${FEATURES}/consent/download.ts`, `${FEATURES}/consent/download.test.ts`, [
    'const good = await countLinkUse(services, address)',
    'const good = async () => {}',
  ]),
  ...of('apps/server/src/gateways/sms/receipt-url.ts', 'apps/server/src/gateways/sms/receipt-url.test.ts', [
    'update(`receipt ${reference} ${made}`)',
    'update(`receipt ${reference}`)',
  ]),
  ...of(
    'apps/server/src/gateways/email/bulk-email-events.ts',
    'apps/server/src/gateways/email/bulk-email-events.test.ts',
    ['${call.timestamp}.${call.body}', '${call.timestamp}'],
  ),
  ...of('apps/server/src/api/call/event-stream.ts', 'apps/server/src/api/call/event-answer.test.ts', [
    'call.output.parse(result)',
    'result',
  ]),
  ...of('apps/server/src/api/call/refusal.ts', 'apps/server/src/api/lost-database.test.ts', ["['53100', ", '[']),
  ...of(`${FEATURES}/report/history-csv.ts`, `${FEATURES}/report/report.test.ts`, [
    'safeCell(row.template)',
    "row.template ?? ''",
  ]),
  ...of(`${FEATURES}/sending/sender.ts`, `${FEATURES}/sending/hand-over.test.ts`, [
    'const stale = performance.now() - began >',
    'const stale = began <',
  ]),
  ...of('apps/server/src/db/migration/run.ts', 'apps/server/src/db/migration/run.test.ts', [
    'checkOrder: true',
    'checkOrder: false',
  ]),
  ...of(`${FEATURES}/attribution/touch.queries.ts`, `${FEATURES}/attribution/taken-back.test.ts`, [
    'and not s.reversed and not s.deferred',
    'and not s.reversed',
  ]),
  ...of(`${FEATURES}/attribution/campaign-result.queries.ts`, `${FEATURES}/attribution/taken-back.test.ts`, [
    'and not l.reversed and not l.deferred',
    'and not l.deferred',
  ]),
  ...of(`${FEATURES}/inbound/replied-place.queries.ts`, `${FEATURES}/inbound/own-sender.test.ts`, [
    "::text <> '' and",
    '::text is not null and',
  ]),
  ...of(
    `${FEATURES}/inbound/replied-place.ts`,
    `${FEATURES}/inbound/own-sender.test.ts`,
    ['...(await missing(services, system, from, await senderlessCompanies(system, everybody), texted))', ''],
    ['filter(({ elsewhere }) => !elsewhere)', 'filter(() => true)'],
  ),
  ...of(`${FEATURES}/inbound/replied-place.ts`, `${FEATURES}/erasure/erase-in-hand.test.ts`, [
    'const known = stop || !own',
    'const known = !own',
  ]),
  ...of(`${FEATURES}/inbound/replied-place.queries.ts`, `${FEATURES}/erasure/erase-in-hand.test.ts`, [
    '${erased ? mayHave : sql``}',
    '',
  ]),
  ...of(`${FEATURES}/inbound/reply.ts`, `${FEATURES}/inbound/own-sender.test.ts`, [
    'companyId === last.companyId && !removed',
    '!removed',
  ]),
]

/** Lines that keep people and messages apart: the rules, then the server's. */
export const MUTANTS: readonly Mutant[] = [
  ...RULE_MUTANTS,
  ...ACCESS_MUTANTS,
  ...SERVER_MUTANTS,
  ...STORED_MUTANTS,
  ...OUTGOING_MUTANTS,
  ...PATIENT_MUTANTS,
  ...DEATH_MUTANTS,
  ...FACT_MUTANTS,
  ...AT_ONCE_MUTANTS,
  ...GONE_MUTANTS,
]
