import { type Mutant, of, RULES, rule } from './lines.ts'

/** Lines of the rules, which take a second each. */
export const RULE_MUTANTS: readonly Mutant[] = [
  ...rule(
    'access/throttle',
    ['failures < FREE_FAILURES ? 0', 'failures <= FREE_FAILURES ? 0'],
    ['2 ** (failures - FREE_FAILURES)', '1'],
  ),
  ...rule(
    'access/session',
    ['Math.min(idleLeft, absoluteLeft)', 'idleLeft'],
    ['Math.min(IDLE_SECONDS, IDLE_SECONDS - (now - refreshedAt) / 1000)', 'IDLE_SECONDS - (now - refreshedAt) / 1000'],
  ),
  ...rule(
    'access/password',
    ['if (length < least)', 'if (length < 8)'],
    ['if (context.refused.has(compared)) {', 'if (context.refused.has(password)) {'],
    ['if (isGuessable(compared, context.productWords)) {', 'if (isGuessable(password, [])) {'],
    ['return normalised(password) === normalised(current)', 'return password === current'],
  ),
  ...rule(
    'cohort/frequency-cap',
    ['sent > from && sent <= at', 'sent > from && sent < at'],
    ['countInWindow(cap, past, end) < cap.messages', 'countInWindow(cap, past, end) <= cap.messages'],
    ['[at, ...later].every', '[at].every'],
  ),
  ...rule('cohort/run-contacts', ['use.most = Math.min(use.most, room)', 'use.most = room']),
  ...rule('text/without-contact', ['[1, 2, 3].map', '[1, 2].map']),
  ...rule(
    'consent/consent',
    ["if (choice === 'out') return 'opted_out'", "if (purpose === 'marketing' && choice === 'out') return 'opted_out'"],
    ["return choice === 'in' ? 'allowed' : 'no_consent'", "return 'allowed'"],
    ['!(trial?.active && trial.ethicsApproved)', '!trial?.active'],
    [
      "both(consent, 'sms', (cell) => cell.beforeStop ?? cell)",
      "both(consent, 'sms', (cell) => ({ ...cell, choice: 'in' }))",
    ],
    ["return both(consent, 'email', () => out)", 'return consent'],
    ['return both(consent, event.channel, () => out)', 'return consent'],
    ['  start: 0,', '  start: 3,'],
    ['    a.id.length - b.id.length ||\n', ''],
  ),
  ...rule(
    'text/csv-safe',
    ["? `'$", '? `$'],
    ['0x3d, 0x2b, 0x2d, 0x40,', '0x3d, 0x2b, 0x2d,'],
    ['0x0a, 0x00, 0xff1d', '0x0a, 0xff1d'],
  ),
  ...rule(
    'dashboard/dashboard',
    ["protocol !== 'https:' || port !== ''", "protocol !== 'https:'"],
    ['host.toLowerCase() === hostname', 'hostname.endsWith(host.toLowerCase())'],
    ['/^https:\\/\\/[^\\\\@?#]+$/i', '/^https?:\\/\\/.+$/i'],
  ),
  ...rule(
    'board/bundle',
    ['patients < MIN_PATIENTS || pharmacies < MIN_PHARMACIES', 'patients < MIN_PATIENTS'],
    ['MIN_PATIENTS = 10', 'MIN_PATIENTS = 9'],
  ),
  ...rule(
    'sixty-day/guild',
    [
      'while (shown.length > 0 && !isSafe(hidden, least))',
      'while (shown.length > hidden.length && !isSafe(hidden, least))',
    ],
    ['base.from <= shown.to && base.to >= shown.from', 'base.from < shown.to && base.to > shown.from'],
    ['those.length >= GUILD_LEAST && isSafe(idsOf(those))', 'those.length >= GUILD_LEAST'],
    ['parts.filter((part) => isSafe([part], least))', 'parts.filter(() => true)'],
    ['  there.sort((a, b) => b.amount - a.amount || a.id - b.id)\n', ''],
  ),
  ...rule('sixty-day/list', ['[...fees].sort((a, b) => a.from - b.from)', '[...fees]']),
  ...rule('text/web-address', ["username !== '' || password !== ''", "password !== ''"]),
  ...of(`${RULES}/trial/rebate.ts`, `${RULES}/trial/participant.test.ts`, [
    'own.length % 2 === 1 ? own.at(-1)',
    'own.length % 3 === 1 ? own.at(-1)',
  ]),
  // A running campaign goes on leaving out the same people.
  ...rule('campaign/campaign-result', ['let hash = 0x811c9dc5', 'let hash = 0x811c9dc6']),
  // Whose supplies and prescriptions are whose, once people of several pharmacies count once.
  ...rule(
    'measure/merged',
    ['if (inFacility[own]) facility', 'if (inFacility[person]) facility'],
    ['return name === null ? null : `${lines.person[at]} ${name}`', 'return name'],
    ['(other) => joined || other !== part', '(other) => other !== part'],
  ),
  // A month that is hidden stays hidden.
  ...rule('average/average-period', ['sum === null || value === null ? null', 'value === null ? null']),
  // The screens: a write is sent once, and what was done is not sent again.
  ...of('apps/web/src/api/client.ts', 'apps/web/src/api/client.test.ts', [
    'if (!takesKey(call)) return sendNow',
    'if (takesKey(call)) return sendNow',
  ]),
  ...of(
    'apps/web/src/api/send-once.ts',
    'apps/web/src/api/send-once.test.ts',
    ['const key = before?.key ?? newId()', 'const key = newId()'],
    ['if (!(error instanceof RefusedError)) return true', 'if (!(error instanceof RefusedError)) return false'],
  ),
  ...of('apps/web/src/api/upgrading.ts', 'apps/web/src/api/upgrading.test.ts', ["call.kind !== 'read' ||", '']),
  ...of('apps/web/src/features/sending/sending-rules.ts', 'apps/web/src/features/sending/sending-rules.test.ts', [
    "value === '' ? Number.NaN : value",
    "value === '' ? 0 : value",
  ]),
  ...rule(
    'time/quiet-hours',
    ['now.minute >= from', 'now.minute > from'],
    ['Math.max(0, from - minute) * MINUTE_MS', '0'],
  ),
  ...rule('message/stop-words', [
    "replace(/[^\\p{L}\\p{N}]+/gu, '').toUpperCase()",
    "replace(/[^A-Za-z]+/gu, '').toUpperCase()",
  ]),
  ...rule(
    'text/name-in-message',
    ['(?! -|- )', ''],
    ['.length > 1 ? unshouted(name)', '.length > 0 ? unshouted(name)'],
  ),
  ...rule('message/merge-field', ['NAMES.includes(part.field) ? nameInMessage(given) : given', 'given']),
  ...rule(
    'trial/agreement',
    ['reaches.phone && !isMadeUpNumber(phone)', 'reaches.phone'],
    ['nameInMessage(filled(known.last_name))', 'filled(known.last_name)'],
  ),
  ...rule(
    'campaign/sequence',
    ['supply <= known', 'supply < known'],
    ['supplied - facts.historyFrom >= NEW_AFTER_DAYS', 'supplied - facts.historyFrom > NEW_AFTER_DAYS'],
  ),
]
