import { FEATURES, type Mutant, of } from './lines.ts'

const SESSION = `${FEATURES}/session`
const SIGN_IN_TESTS = [`${SESSION}/sign-in.test.ts`, `${SESSION}/sign-in-reset.test.ts`]
/** The last condition of a valid link. */
const MADE = ".where('created_at', '<=', latest(now))\n    .returning('subject_id')"
const TENANCY_TESTS = ['apps/server/src/db/scope.test.ts', 'apps/server/test/every-call/every-call-tenancy.test.ts']

/** Lines of the server that decide who is signed in, and what they may reach. */
export const ACCESS_MUTANTS: readonly Mutant[] = [
  // Of several companies that support changes at once, none reads what was done in another.
  ...of(
    'apps/server/src/api/call/enter.ts',
    `${FEATURES}/campaign/campaign-admin.test.ts`,
    ['changes: [], counts: {}', 'counts: {}'],
    ['recordAudit(tx, { caller, action', 'recordAudit(tx, { caller: callerOf(context), action'],
    ['await bindScope(tx, caller.scope)', 'await bindScope(tx, callerOf(context).scope)'],
  ),
  ...of('packages/contract/src/s8.ts', 'packages/contract/src/wire/needs.test.ts', [
    "/contradiction',\n    needs: 'ecdr',",
    "/contradiction',\n    needs: 'data_analytics',",
  ]),
  ...of(
    `${SESSION}/session.queries.ts`,
    SIGN_IN_TESTS,
    [".where('t.expires_at', '>', now)\n", '\n'],
    [".where('s.seen_at', '>', before(now, IDLE_SECONDS))\n", '\n'],
    ["latest(latest(now)))\n    .where('s.ended_at', 'is', null)\n", 'latest(latest(now)))\n'],
    [".where('t.expires_at', '<=', latest(latest(now)))\n", '\n'],
    [".where('s.seen_at', '<=', latest(now))\n", '\n'],
    [".where('l.disabled_at', 'is', null)\n    .executeTakeFirst()", '.executeTakeFirst()'],
  ),
  ...of(
    `${SESSION}/step-up.queries.ts`,
    `${SESSION}/step-up.test.ts`,
    ['STEP_UP_SECONDS * 1000', 'STEP_UP_SECONDS * 100_000'],
    ['!used || used.rows.length === 0', '!used'],
  ),
  ...of(
    'apps/server/migrations/0040_words.sql',
    `${SESSION}/step-up.test.ts`,
    ['session_id = $2 and action = $3', 'action = $3'],
    ['action = $3 and object is not distinct from $4', 'action = $3'],
    ['and used_at is null and expires_at > $5\n  returning true', 'and expires_at > $5\n  returning true'],
  ),
  ...of(
    `${SESSION}/link.queries.ts`,
    `${SESSION}/sign-in-reset.test.ts`,
    [`.where('expires_at', '>', now)\n    ${MADE}`, MADE],
    [
      `.where('used_at', 'is', null)\n    .where('expires_at', '>', now)\n    ${MADE}`,
      `.where('expires_at', '>', now)\n    ${MADE}`,
    ],
    ['  await dropLinks(tx, link.purpose, link.subjectId)\n', ''],
  ),
  ...of(
    `${SESSION}/throttle.ts`,
    `${SESSION}/sign-in-throttle.test.ts`,
    ["await take(all.address, from, 'from your network', undo)", ''],
    ["await take(all.address, from, 'from your network', undo)", "await take(all.address, from, '', async () => {})"],
    ['  if (!turn.taken) {', '  if (turn.wait > 1_000_000) {'],
    ['const keys = [loginKey(services, id), nameKey', 'const keys = [nameKey'],
  ),
  // A username and an address of one person share five guesses, and look like those of two.
  ...of(
    `${SESSION}/throttle.ts`,
    `${SESSION}/sign-in-names.test.ts`,
    ['- SOONER_SECONDS', '+ SOONER_SECONDS'],
    [': loginKey(services, loginId)\n', ": keyOf(services, 'nobody', foldName(name))\n"],
    ['const taken = free.taken || turn.taken', 'const taken = free.points > 0'],
    [
      'return (await countUse(all.resetName, silentKey(services, typed))).taken',
      'return typed.name !== silentKey(services, typed)',
    ],
  ),
  ...of(`${SESSION}/throttle.ts`, `${SESSION}/step-up.test.ts`, [
    "...('self' in who ? [loginKey(services, who.self)] : [])",
    '',
  ]),
  ...of(
    `${SESSION}/enter.ts`,
    `${SESSION}/sign-in-names.test.ts`,
    ['!found.disabled_at && ', ''],
    [' && !attempt.held ?', ' ?'],
    ['...(attempt.held && { held: true })', ''],
  ),
  ...of(`${SESSION}/enter.ts`, `${SESSION}/step-up.test.ts`, [' && own && !attempt', ' && !attempt']),
  ...of(`${SESSION}/session.handlers.ts`, `${SESSION}/sign-in-throttle.test.ts`, [
    "if (!(await holdLogin(tx, found))) throw new Refusal('wrong_password', WRONG)",
    '',
  ]),
  ...of(`${SESSION}/session.handlers.ts`, SIGN_IN_TESTS, [
    'if (context.cookieSecret) await endSession(tx, context.cookieSecret, now)',
    '',
  ]),
  ...of(`${SESSION}/reset.ts`, `${SESSION}/sign-in-reset.test.ts`, [
    "  await countDeadLink(services, address)\n  throw new Refusal('not_found', DEAD)",
    "  throw new Refusal('not_found', DEAD)",
  ]),
  ...of(
    'apps/server/src/api/cookie.ts',
    `${SESSION}/sign-in-headers.test.ts`,
    ["if (foreign || (typeof origin === 'string' && !sameHost)) {", 'if (foreign) {'],
    ["if (foreign || (typeof origin === 'string' && !sameHost)) {", "if (typeof origin === 'string' && !sameHost) {"],
  ),
  ...of('apps/server/src/api/cookie.ts', `${SESSION}/factor/own-factors.test.ts`, [
    'maxAge, httpOnly: true } as const',
    'maxAge } as const',
  ]),
  ...of('apps/server/src/api/counter.ts', `${SESSION}/sign-in-throttle.test.ts`, [
    '    if (error instanceof Refusal) throw error\n',
    '    if (error) return undefined as T\n',
  ]),
  ...of(
    'apps/server/src/api/call/admit.ts',
    ['apps/server/test/every-call/every-call.test.ts', `${SESSION}/factor/second-factor.test.ts`],
    ['if (flags.length > 0 && !flags.some', 'if (flags.length > 1 && !flags.some'],
    ["if (factor === 'check') {", "if (factor === 'check' && call.beforeSecondFactor) {"],
  ),
  ...of('apps/server/src/api/call/admit.ts', `${SESSION}/sign-in-headers.test.ts`, [
    "if (call.kind === 'write') requireSameOrigin",
    "if (call.kind !== 'write') requireSameOrigin",
  ]),
  ...of('apps/server/src/api/host.ts', 'apps/server/src/api/host.test.ts', [
    'for (const host of [request.headers.host, request.host]) {',
    'for (const host of [request.host]) {',
  ]),
  ...of('apps/server/src/api/page/pages.ts', 'apps/server/src/api/page/pages.test.ts', [
    "if (page === 'board.html') {",
    "if (page !== 'index.html') {",
  ]),
  ...of('apps/server/src/api/log.ts', 'apps/server/src/api/log.test.ts', [
    'if (code !== undefined) return [code,',
    'if (code === null) return [code,',
  ]),
  ...of(`${FEATURES}/audit/verify.ts`, `${FEATURES}/audit/anchored-over.test.ts`, [
    'const gone = [...anchored.keys()].filter((chain) => !known.has(chain))',
    'const gone: number[] = []',
  ]),
  // A proxy that gives ports would make each connection a visitor with a count of its own.
  ...of(
    'apps/server/src/api/network.ts',
    'apps/server/test/process/web-and-worker.test.ts',
    ['withoutPort(ip)', 'ip'],
    ['const address = withoutPort(given)', 'const address = given'],
  ),
  // An owner without bypassrls would change only some of the rows.
  ...of('apps/server/src/db/migration/files.ts', 'apps/server/src/db/migration/managed.test.ts', [
    'builder.sql(LET_OWNER_SEE)',
    '',
  ]),
  ...of('apps/server/src/db/away.ts', 'apps/server/src/db/database.test.ts', [
    "if (found.kept !== 'kept')",
    "if (found.kept === '')",
  ]),
  ...of(
    'apps/server/src/db/scope.ts',
    TENANCY_TESTS,
    [
      '  try {\n    return await work()\n  } finally {',
      '  try {\n    return await work()\n  } finally {\n    if (before) return',
    ],
    ['if (!whole.every(Number.isSafeInteger)) throw', 'if (whole.every(Number.isNaN)) throw'],
    ['set local pillar.location_ids', 'set pillar.location_ids'],
    ['set local pillar.company_id', 'set pillar.company_id'],
  ),
  ...of(
    'apps/server/migrations/0021_staff.sql',
    TENANCY_TESTS,
    ["'location' then format('location_id = any (%s)', locations)", "'location' then 'true'"],
    ["'alter table %s force row level security'", "'alter table %s no force row level security'"],
    ['using (%s) with check (%s)', 'using (%s) with check (true or %s)'],
  ),
  ...of(`${SESSION}/step-up.queries.ts`, `${SESSION}/step-up.test.ts`, [
    "`sha256:${createHash('sha256').update(object).digest('hex')}`",
    'object.slice(0, 200)',
  ]),
]
