import { FEATURES, type Mutant, of } from './lines.ts'

const FIELD = 'apps/server/src/db/field'

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
  ...of(`${FEATURES}/attribution/campaign-group.queries.ts`, `${FEATURES}/attribution/touch.test.ts`, [
    "t.part not in ('messaged', 'attempted'), t.run_id`",
    't.run_id`',
  ]),
]
