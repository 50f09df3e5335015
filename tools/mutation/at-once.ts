import { FEATURES, type Mutant, of } from './lines.ts'

const SENDING = `${FEATURES}/sending`
const RUN = `${FEATURES}/run`
const CLAIM_TESTS = `${SENDING}/claim.test.ts`

/** Lines that keep two of these apart when they happen at once: a claim, a STOP, a stop of a run, a receipt, a second worker. */
export const AT_ONCE_MUTANTS: readonly Mutant[] = [
  ...of(`${SENDING}/claim.ts`, CLAIM_TESTS, [
    'const facts = await openBatch(tx, batch, now)',
    'const facts = await inScope(services.pools.app, scope, (other) => openBatch(other, batch, now))',
  ]),
  ...of(
    `${SENDING}/claim.queries.ts`,
    CLAIM_TESTS,
    ['  await shareRun(tx, batch.runId)\n', ''],
    ['  await shareConsent(tx, batch.locationId)\n', ''],
    ['order by m.planned_at limit ${count} for update of m skip locked', 'order by m.planned_at limit ${count}'],
  ),
  ...of(`${SENDING}/history.queries.ts`, CLAIM_TESTS, [
    'order by contact collate "C" for update`',
    'order by contact collate "C"`',
  ]),
  ...of(
    `${SENDING}/reconcile.queries.ts`,
    CLAIM_TESTS,
    ['(m.lease_until < clock_timestamp() or', "(m.lease_until < clock_timestamp() + interval '1 minute' or"],
    ['order by m.id limit ${count} for update skip locked) lost', 'order by m.id limit ${count}) lost'],
  ),
  ...of(`${SENDING}/reconcile.queries.ts`, `${SENDING}/hand-over.test.ts`, [
    'case when m.attempts > 1 then m.created_at else m.planned_at end as',
    'm.planned_at as',
  ]),
  ...of(`${SENDING}/record.queries.ts`, `${SENDING}/answers.test.ts`, [
    "  if (!mayBecome(message.state, 'queued')) return null\n",
    '',
  ]),
  ...of(`${SENDING}/record.queries.ts`, `${FEATURES}/inbound/receipt.test.ts`, [
    'order by m.id for update of m`',
    'order by m.id`',
  ]),
  ...of(`${FEATURES}/consent/import-opt-outs.queries.ts`, `${SENDING}/hand-over.test.ts`, [
    '  await lockConsent(tx, locationId)\n',
    '',
  ]),
  ...of(`${FEATURES}/messaging.jobs.ts`, `${FEATURES}/inbound/reply-first.test.ts`, [
    'processEvents(services, kind)',
    'processEvents(services)',
  ]),
  ...of(`${RUN}/run-write.queries.ts`, `${RUN}/prepare-run.test.ts`, [
    '  await sql`select pg_advisory_xact_lock(${sql.lit(PREPARE_SPACE)}, (${runId}::bigint % 2147483647)::int)`.execute(tx)\n',
    '',
  ]),
  ...of(
    `${RUN}/prepare-run.jobs.ts`,
    `${RUN}/prepare-run.test.ts`,
    ['  if (await isWritten(tx, runId)) return\n  await shareWriting', '  await shareWriting'],
    ['if (!(await endPreparing(tx, runId))) throw new RunEnded()', 'if (!(await endPreparing(tx, runId))) return'],
  ),
  ...of(`${RUN}/run-state.queries.ts`, `${RUN}/run.test.ts`, [
    "    .where('state', 'in', LIVE_RUN_STATES)\n    .forUpdate()",
    '    .forUpdate()',
  ]),
  ...of(`${FEATURES}/sequence/sequence-state.queries.ts`, `${FEATURES}/sequence/batch-stopped.test.ts`, [
    '): Promise<number> {\n  await lockSequences(tx, locationId)\n',
    '): Promise<number> {\n',
  ]),
]
