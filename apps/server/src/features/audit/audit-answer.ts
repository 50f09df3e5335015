import type { Activity, AuditRow } from '@pillar/contract/access/audit-admin'
import { actionKind, shownAction } from '@pillar/domain/audit/action-words'
import { changedFields, fieldLabel, fieldValue } from '@pillar/domain/audit/change-words'
import { safeCell } from '@pillar/domain/text/csv-safe'
import { NO_VALUE } from '@pillar/domain/time/locale'
import { csvText } from '../../api/answer/csv-text.ts'
import type { Change } from '../../api/context.ts'
import type { RawAct, RawActivity, RawAuditRow } from './audit.queries.ts'

/** Parts of a row that are shown separately. */
const APART = new Set(['changes', 'reason', 'ids'])

function actOf({ id, at, action, object, object_name, detail }: RawAct) {
  const { reason, changes } = detail
  return {
    ...{ id, at, action, object, object_name },
    words: shownAction(action, detail),
    kind: actionKind(action),
    reason: typeof reason === 'string' ? reason : null,
    changes: Array.isArray(changes) ? (changes as Change[]).map(changeOf) : [],
  }
}

const changeOf = ({ object, before, after }: Change) => ({ object, fields: changedFields(before, after) })

/** A row of the audit in words. */
export function auditAnswer(row: RawAuditRow): AuditRow {
  const { company, person, session, network, agent, detail } = row
  const facts = Object.entries(detail)
    .filter(([field]) => !APART.has(field))
    .map(([field, value]) => ({ label: fieldLabel(field), value: fieldValue(value) }))
  return { ...actOf(row), company, person, session, network, agent, facts }
}

/** Shown as the person who acted when a patient did: the audit never names patients. */
const PATIENT = 'A patient'

/** A row of a company's own log in words. Support people are named only if they belong to the company itself. */
export function activityAnswer(row: RawActivity, product: string): Activity {
  const act = actOf(row)
  const nobody = act.kind === 'patient' ? PATIENT : product
  const support = `${product} support${row.own ? ` (${row.own})` : ''}`
  return { ...act, who: row.support ? support : (row.own ?? nobody), support: row.support }
}

const HEADS = [
  'Row',
  'Time (UTC)',
  'Person',
  'Username',
  'What',
  'Action',
  'Object',
  'Name',
  'Company',
  'Before',
  'After',
  'Reason',
  'Network',
  'Browser',
  'Session',
]

/** Rows of the audit as a file, in parts; no cell works as a formula. */
export async function* auditCsv(lots: AsyncIterable<RawAuditRow[]>): AsyncGenerator<string> {
  yield csvText([HEADS], { bom: true, record_delimiter: '\r\n' })
  for await (const rows of lots)
    yield csvText(
      rows.map((row) => lineOf(auditAnswer(row))),
      { record_delimiter: '\r\n' },
    )
}

function lineOf(row: AuditRow): string[] {
  const side = (which: 'before' | 'after') =>
    row.changes.flatMap(({ fields }) => fields.map((field) => `${field.label}: ${field[which]}`)).join('; ')
  return [
    ...[
      row.id,
      row.at,
      row.person?.name ?? NO_VALUE,
      row.person?.username,
      row.words,
      row.action,
      row.object,
      row.object_name,
    ],
    ...[row.company?.name ?? '', side('before'), side('after'), row.reason, row.network, row.agent, row.session],
  ].map((cell) => String(safeCell(cell ?? '')))
}
