import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { fileNameOf } from '@pillar/domain/upload/upload-file'
import { columnsOf } from '@pillar/domain/upload/upload-format'
import { checkOf } from './check.ts'
import { readCsv } from './csv.ts'
import { addFault, addUnread, countOf, noteLost, UploadFault } from './fault.ts'
import { parseResources } from './fhir/parse-resources.ts'
import { plainBytes, utf8Bytes } from './plain-file.ts'
import { type ParseInput, type ReadFile, type RowWriter, rowWriter, type Slot } from './row.ts'
import { type Feed, isMade, knownColumns } from './source-profile.ts'

/** Text passed to COPY in one piece. */
const BATCH = 64 * 1024
/** Separators that tables use in place of commas. */
const SEPARATORS = [
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'vertical bars'],
] as const

/**
 * Reads one file, checks every row of one set and writes the valid ones to `copy` as COPY text, in constant memory and at the database's
 * pace. Faulty rows go to `findings`; if their id is readable, only the id is staged.
 * @returns the canonical columns of the file, and how many lines
 * @throws UploadFault if the file as a whole cannot be used
 */
export async function parseFile(input: ParseInput, copy: Writable): Promise<ReadFile> {
  const { file, feed, findings } = input
  if (feed.map || feed.removes) return parseResources(input, copy)
  const name = fileNameOf(file.name)
  const count = countOf(findings, file.name)
  let present = new Set<string>()
  let toText: RowWriter = () => ''
  let batch = ''
  let lines = 0
  await readCsv(utf8Bytes(plainBytes(input.open, name), name, noteLost(findings, name)), name, {
    columns: knownColumns(file),
    header(names) {
      const slots = slotsOf(names, input)
      present = new Set(slots.filter((slot) => slot.read !== null).map((slot) => slot.column))
      toText = rowWriter(slots, input)
    },
    row(values, line) {
      if (!feed.implied) count.rows++
      lines = line
      batch += toText(values, line)
    },
    fault(line, value, reason, lines) {
      if (feed.implied) return
      count.rows += lines
      // Otherwise the upload's notes would contain a whole line about a patient, even after an erasure.
      const reported = 'patient_id' in feed.columns ? '' : value
      addFault(findings, { file: file.name, line, column: '', value: reported, reason }, lines)
      addUnread(findings, feed.set, lines)
    },
    async pause() {
      if (batch.length < BATCH) return
      const room = copy.write(batch)
      batch = ''
      if (!room) await once(copy, 'drain')
    },
  })
  if (batch !== '') copy.write(batch)
  return { columns: present, lines }
}

/** Matches a header with the feed. Throws UploadFault naming an unknown, repeated or missing column. */
function slotsOf(names: string[], { file, feed, source, context }: ParseInput): Slot[] {
  const known = knownColumns(file)
  const positions = new Map<string, number>()
  const separator = names.length === 1 ? SEPARATORS.find(([sign]) => names[0]!.includes(sign))?.[1] : undefined
  if (separator)
    throw new UploadFault(
      `${file.name}.csv separates its columns with ${separator}. Separate them with commas and send it again.`,
    )
  names.forEach((name, at) => {
    if (name === '')
      throw new UploadFault(
        `Column ${at + 1} of ${file.name}.csv has no name. Delete it, or name it, and send the file again.`,
      )
    if (!known.has(name))
      throw new UploadFault(`${file.name}.csv has a column "${name.slice(0, 80)}" that ${source.name} does not know.`)
    if (positions.has(name)) throw new UploadFault(`${file.name}.csv has the column "${name}" twice.`)
    positions.set(name, at)
  })
  return columnsOf(feed.set).map(([column, rule]) => {
    const read = readerOf(feed, column, positions, file.name)
    if (read === null && rule.required) throw new UploadFault(`${file.name}.csv has no column "${column}".`)
    return { column, read, check: checkOf(column, rule, context) }
  })
}

function readerOf(feed: Feed, column: string, positions: Map<string, number>, file: string): Slot['read'] {
  const from = feed.columns[column]
  if (!from) return null
  if (isMade(from)) {
    const at = from.from.map((name) => positions.get(name))
    if (at.every((position) => position === undefined)) return null
    const text = (values: string[], position: number | undefined) =>
      position === undefined ? '' : (values[position] ?? '').trim()
    return (values) => from.make(...at.map((position) => text(values, position)))
  }
  const found = from.filter((name) => positions.has(name))
  if (found.length > 1) throw new UploadFault(`${file}.csv has both "${found[0]}" and "${found[1]}": send one of them.`)
  return found[0] === undefined ? null : (positions.get(found[0]) ?? null)
}
