import { FEATURES, type Mutant, of } from './lines.ts'

const FIELD = 'apps/server/src/db/field'
const OUTLIVES = 'apps/server/test/field/outlives.test.ts'
const SYSTEMS = `${FEATURES}/upload/load/adopt/system-change.test.ts`

/** Lines that decide whose a stored value is, what an uploaded row says, and what a message earned. */
export const STORED_MUTANTS: readonly Mutant[] = [
  ...of(
    `${FIELD}/contact.ts`,
    `${FIELD}/contact.test.ts`,
    [
      "const handle = own.map((one) => byIndex.get(one.toString('hex'))).find((one) => one !== undefined)",
      "const handle = byIndex.get(own[0]!.toString('hex'))",
    ],
    ['await idsOfUnused(tx, unused.map(handleOf))', 'unused'],
    ['  if (lost.length > 0) await', '  if (lost.length < 0) await'],
  ),
  ...of(`${FIELD}/key-ring.ts`, `${FIELD}/altered.test.ts`, ['if (key?.column !== column) throw', 'if (!key) throw']),
  // What an earlier version sent out or wrote down: the code that makes it and the code that reads it would change together.
  ...of(
    `${FEATURES}/consent/link/consent-token.ts`,
    OUTLIVES,
    ['`link:unsubscribe:$', '`link:stop:$'],
    ['`link:opt-out:$', '`link:stop:$'],
  ),
  ...of(`${FIELD}/envelope.ts`, OUTLIVES, ["index: derive('index')", "index: derive('seal')"]),
  ...of(`${FEATURES}/erasure/erasure-key.ts`, OUTLIVES, ['`erasure ${kind} ${owner}', '`erased ${kind} ${owner}']),
  ...of(
    `${FEATURES}/upload/load/script.queries.ts`,
    `${FEATURES}/upload/load/unread-line.test.ts`,
    ['from stage_scripts where not faulty\n    ), sent', 'from stage_scripts\n    ), sent'],
    ['and o.source = ${target.source} and o.dispensed_on between span', 'and o.dispensed_on between span'],
  ),
  ...of(`${FIELD}/columns.ts`, `${FEATURES}/signup/signup.test.ts`, ['text.trim().toLowerCase() }', 'text.trim() }']),
  ...of(
    `${FEATURES}/upload/read/check.ts`,
    `${FEATURES}/upload/read/check.test.ts`,
    ["rule.type === 'id' || column === 'mobile' ?", "rule.type === 'id' ?"],
    ['if (moved < earliest)', 'if (parsed < earliest)'],
  ),
  ...of(`${FEATURES}/upload/read/plain-file.ts`, `${FEATURES}/upload/read/csv.test.ts`, [
    'if (bytes > limit)',
    'if (bytes > limit * 1000)',
  ]),
  ...of(
    `${FEATURES}/cohort/selection.queries.ts`,
    `${FEATURES}/run/selection.test.ts`,
    [' and f.consent & ${sql.lit(sms ? 256 : 512)} = 0', ''],
    ['if (apart) return sql`(f.born >', 'if (apart) return sql`(f.born >='],
  ),
  ...of(
    `${FEATURES}/attribution/campaign-stat.queries.ts`,
    `${FEATURES}/attribution/campaign-opt-out.test.ts`,
    ['m.sent_at <= e.at', 'true'],
    [' and not last.fake', ''],
  ),
  ...of(
    `${FEATURES}/attribution/touch.queries.ts`,
    `${FEATURES}/attribution/touch.test.ts`,
    ['<= least(t.from_day, t.run_day) - 365', '<= t.from_day - 365'],
    ['partition by t.patient_id, t.part order by', 'partition by t.patient_id order by'],
    [' and not m.fake\n    group by', '\n    group by'],
  ),
  ...of(`${FEATURES}/cohort/frequency-limit.queries.ts`, `${FEATURES}/cohort/frequency-limit.test.ts`, [
    'Math.min(...here.map(([place])',
    'Math.max(...here.map(([place])',
  ]),
  // Somebody with a new number gets no text of the same campaign again.
  ...of(`${FEATURES}/cohort/selection.queries.ts`, `${FEATURES}/campaign/activate.test.ts`, [
    'when a.patient_id is not null or ${',
    'when ${',
  ]),
  ...of(`${FEATURES}/consent/import-opt-outs.queries.ts`, `${FEATURES}/consent/import-opt-outs.test.ts`, [
    '    closed.map((row) => row.patient_id),',
    '    [],',
  ]),
  // Opt-outs said of another record.
  ...of(
    `${FEATURES}/consent/carry/carried.queries.ts`,
    `${FEATURES}/consent/carry/carry-opt-outs.test.ts`,
    [" where n.type in ('stop', 'unsubscribe')\n      union", '\n      union'],
    ['m.patient_id = n.patient_id and m.sent_at is not null', 'false'],
    ['and p.sms_to = r.contact', 'and false'],
    ['and p.email_to = r.contact', 'and false'],
    ['and o.key = k.key', 'and false'],
  ),
  ...of(
    `${FEATURES}/consent/carry/removed.queries.ts`,
    `${FEATURES}/consent/carry/closed-pharmacy.test.ts`,
    ['and p.sms_to = r.contact', 'and false'],
    ['and p.email_to = r.contact', 'and false'],
    ['and k.key = r.key', 'and false'],
    [' and o.removed_at is not null', ''],
  ),
  // What a dispensing system that was replaced knew, and what it cannot know.
  ...of('packages/domain/src/measure/slot.ts', SYSTEMS, [' || day < (lines.systemFrom[after] as number)', '']),
  ...of('packages/domain/src/measure/repeat.ts', SYSTEMS, ['Math.min(until, continuedOn(lines, line) - 1)', 'until']),
  ...of(`${FEATURES}/upload/load/adopt/former-facts.queries.ts`, SYSTEMS, [
    "((last.get(id) ?? '') > died ? id : [])",
    '(id)',
  ]),
  ...of(
    `${FEATURES}/upload/load/adopt/adopt.queries.ts`,
    SYSTEMS,
    ['when p.deceased_on is distinct from o.died_on then', 'when true then'],
    ['and o.in_facility is not true', ''],
  ),
  // Follow-ups of events that the record no longer shows.
  ...of(
    `${FEATURES}/sequence/enrolment.queries.ts`,
    `${FEATURES}/sequence/event-gone.test.ts`,
    [' or v.event_day > ${at.today}::date', ''],
    ['e.goal_day is null and e.gone_at is null', 'e.goal_day is null'],
    [" and m.state <> 'skipped'", ''],
  ),
  ...of(`${FEATURES}/consent/carry/carry-opt-outs.queries.ts`, `${FEATURES}/consent/carry/carry-opt-outs.test.ts`, [
    'at: new Date(event.at)',
    'at: now',
  ]),
  ...of(`${FEATURES}/attribution/campaign-group.queries.ts`, `${FEATURES}/attribution/touch.test.ts`, [
    "t.part not in ('messaged', 'attempted'), t.run_id`",
    't.run_id`',
  ]),
  // Patients of a new dispensing system.
  ...of(
    `${FEATURES}/upload/load/adopt/adopt.ts`,
    `${FEATURES}/upload/load/adopt/adopt.test.ts`,
    ['distinct(own.map((pair) => pair.patientId)) === 1 &&', ''],
    ['distinct(numbersOf.get(patientId)!.map((pair) => pair.number)) === 1', 'true'],
    ['  if (before.length > 0) await adopt(tx, keys, claim, before, present)\n', ''],
  ),
  ...of(
    `${FEATURES}/upload/load/adopt/adopt.queries.ts`,
    `${FEATURES}/upload/load/adopt/adopt.test.ts`,
    [' and p.source <> ${source} and not p.fake\n', '\n'],
    ["decode(n.sealed, 'hex')", 'null'],
  ),
  ...of(`${FEATURES}/erasure/erase.ts`, `${FEATURES}/upload/load/adopt/adopt.test.ts`, [
    '[of(one), ...one.former.map(of)]',
    '[of(one)]',
  ]),
  ...of(`${FEATURES}/erasure/erase.queries.ts`, `${FEATURES}/upload/load/adopt/adopt.test.ts`, [
    '[number, ...former.map((one) => one.number)]',
    '[number]',
  ]),
  ...of(`${FEATURES}/upload/load/load.queries.ts`, `${FEATURES}/upload/load/adopt/adopt.test.ts`, [
    "${table === 'patient' ? formerNumbers(target, more) : sql``}",
    '',
  ]),
  // What a whole record is compared with before it replaces the stored one.
  ...of(
    `${FEATURES}/upload/load/check/drop-check.queries.ts`,
    `${FEATURES}/upload/load/check/drop-check.test.ts`,
    ["u.etl_state = 'COMPLETED' and u.initial_upload", 'u.initial_upload'],
    ["u.etl_state = 'COMPLETED' and u.initial_upload", "u.etl_state = 'COMPLETED'"],
    ['u.created_at desc, u.id desc', 'u.created_at, u.id'],
  ),
  // Another pharmacy's record under this one's key.
  ...of(
    `${FEATURES}/upload/load/check/other-record.queries.ts`,
    `${FEATURES}/upload/load/check/other-record.test.ts`,
    ['s.date_of_birth <> t.date_of_birth\n      and', 'true and'],
    ["${differs('first_name')} and", ''],
    ["and ${differs('last_name')}", ''],
    [' and dispensed_on <> old_dispensed_on', ''],
    ['patient_id <> old_patient_id and ', ''],
    ['e.product_id <> s.product_id\n      and abs', 'true and abs'],
    ['> ${sql.lit(DAY_SECONDS)})', '>= 0)'],
  ),
  // Whoever was written has their keys made again: the same person at another pharmacy is found by them.
  ...of(
    `${FEATURES}/upload/load/load.queries.ts`,
    `${FEATURES}/upload/load/increment.test.ts`,
    ['sql`, updated_at = now()`', 'sql``'],
    ['min(least(t.ceased_on, n.ceased_on))', 'min(n.ceased_on)'],
    ['min(least(t.ceased_on, n.ceased_on))', 'min(t.ceased_on)'],
    [
      '(t.patient_id, o.molecule_id, t.ceased_on) is distinct from (p.id, x.molecule_id, n.ceased_on)',
      't.ceased_on is distinct from n.ceased_on',
    ],
  ),
  ...of(`${FEATURES}/upload/load/load.queries.ts`, `${FEATURES}/cohort/fact/still-true.test.ts`, [
    '(values (p.id), (t.patient_id)) u(id)',
    '(values (p.id)) u(id)',
  ]),
  ...of(`${FEATURES}/upload/load/load.queries.ts`, `${FEATURES}/upload/read/bad-input.test.ts`, [
    'where not s.faulty and s.${id} = unknown.id',
    'where s.${id} = unknown.id',
  ]),
  ...of(`${FEATURES}/upload/load/script.queries.ts`, `${FEATURES}/upload/load/check/contradiction.test.ts`, [
    'coalesce(s.repeats_authorised, x.repeats_authorised)',
    'coalesce(x.repeats_authorised, s.repeats_authorised)',
  ]),
  // The further figures have sums of their own, and their rules a version.
  ...of(
    `${FEATURES}/metrics/figure.queries.ts`,
    `${FEATURES}/metrics/metrics.test.ts`,
    ["leaked_slots: 'leaked'", "leaked_slots: 'observed'"],
    ["adherent_scripts: 'adherent'", "adherent_scripts: 'measured'"],
    [', ...[...holidays].sort((a, b) => a - b), ...', ', ...'],
    ['\n      and s.patient_price_cents::bigint + s.government_cents >= 0', ''],
  ),
  ...of(`${FEATURES}/metrics/write.queries.ts`, `${FEATURES}/metrics/metrics.test.ts`, [
    'complete: isComplete(span, data)',
    'complete: true',
  ]),
  ...of(`${FEATURES}/metrics/metrics.queries.ts`, `${FEATURES}/metrics/metrics.test.ts`, [
    '  await sql`delete from metric_persistence where ${gone}`.execute(tx)\n',
    '',
  ]),
  // A record corrected to an erased person keeps nothing that names them.
  ...of(`${FEATURES}/erasure/erased-stage.queries.ts`, `${FEATURES}/erasure/several-erased.test.ts`, [
    '  await sql`update prescription set ${NAMELESS_PRESCRIPTION} where ${own}`.execute(tx)\n',
    '',
  ]),
]
