import { type ColumnRule, columnsOf, UPLOAD_SETS, type UploadSet } from '@pillar/domain/upload/upload-format'
import { SOURCES } from './sources.ts'

const TYPES: Record<ColumnRule['type'], string> = {
  id: 'id',
  text: 'text',
  date: 'date',
  time: 'time',
  integer: 'whole number',
  serial: 'running number',
  quantity: 'number',
  money: 'amount',
  flag: 'yes or no',
  sex: 'F or M',
  patient_type: 'patient type',
  entry_type: 'kind of entry',
  balance_check: 'balance check',
}

const SET_MEANING: Record<UploadSet, string> = {
  patients: 'One row a patient.',
  prescribers: 'One row a prescriber.',
  drugs: 'One row a product of the pharmacy’s drug file.',
  prescriptions: 'One row a prescription: the original and its repeats together.',
  scripts: 'One row a line of the dispensing record: every supply, also deferred, owing and reversed ones.',
  stock: 'One row a drug on hand.',
  s8_products: 'One row a product of the register of Schedule 8 medicines.',
  s8_transactions:
    'One row an entry of the register. Entries are added and never changed: a row that is sent again with other content is kept beside the first and shown to the head office.',
  s8_status: 'Counts of the pharmacy’s own system that are in no register, as they were at a moment.',
}

/** The generated part of docs/upload-format.md: every set, every column, every source. */
function formatDoc(): string {
  return [
    ...UPLOAD_SETS.flatMap(setLines),
    '## Sources',
    '',
    '| `data_source` | System | Mapping checked against a real file | Status |',
    '|---|---|---|---|',
    ...SOURCES.map(
      (source) => `| \`${source.name}\` | ${source.title} | ${source.checked ? 'yes' : '**no**'} | ${source.status} |`,
    ),
    '',
    'Files of each: ' +
      SOURCES.map((source) => `\`${source.name}\` ${source.files.map((file) => file.name).join(', ')}`)
        .slice(0, 3)
        .join('; ') +
      '; the dispensing systems and `stronger` the same as `canonical`.',
    '',
  ].join('\n')
}

function setLines(set: UploadSet): string[] {
  const rows = columnsOf(set).map(([name, rule]) => {
    const type =
      rule.type === 'text' || rule.type === 'id' ? `${TYPES[rule.type]}, up to ${rule.max ?? 200}` : TYPES[rule.type]
    return `| \`${name}\` | ${type} | ${rule.required ? 'yes' : ''} | ${rule.meaning} |`
  })
  return [
    `### ${set}`,
    '',
    SET_MEANING[set],
    '',
    '| Column | Type | Required | Meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
  ]
}

/** Markers around the generated part. */
const DOC_BEGIN = '<!-- generated: node apps/server/src/cli/format-doc.ts -->'
const DOC_END = '<!-- end of generated part -->'

/** The page with its generated part replaced. Throws if the marks are missing. */
export function withFormat(page: string): string {
  const [begin, end] = [page.indexOf(DOC_BEGIN), page.indexOf(DOC_END)]
  if (begin < 0 || end < begin) throw new Error('docs/upload-format.md has lost the marks of its generated part.')
  return `${page.slice(0, begin)}${DOC_BEGIN}\n\n${formatDoc()}\n${page.slice(end)}`
}
