import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { columnsOf, type UploadSet } from '@pillar/domain/upload/upload-format'
import type { OpenFile } from '../../../gateways/file/file-store.ts'
import { idColumn, stageColumns } from '../load/stage.ts'
import { type Check, type CheckContext, checkOf, copyText, dailyUnitsCheck, NULL } from './check.ts'
import { readCsv } from './csv.ts'
import { addFault, countOf, type Findings, UploadFault } from './fault.ts'
import { moleculeOf } from './molecule.ts'
import { plainBytes, utf8Bytes } from './plain-file.ts'
import { type Feed, isMade, knownColumns, type SourceFile, type SourceProfile } from './source-profile.ts'

/** Text passed to COPY in one piece. */
const BATCH = 64 * 1024

export interface ParseInput {
  open: OpenFile
  source: SourceProfile
  file: SourceFile
  feed: Feed
  context: CheckContext
  findings: Findings
}

/** How one column of a staged row is filled from the row's values. */
interface Slot {
  column: string
  /** Position in the file, or a function; null when the file has no such column. */
  read: number | ((values: string[]) => string) | null
  check: Check
}

/**
 * Reads one file, checks every row of one set and writes the valid ones to `copy` as COPY text, in flat memory and at
 * the database's pace. Faulty rows go to `findings`; when their id is readable, only the id is staged.
 * @returns the canonical columns the file has
 * @throws UploadFault when the file as a whole cannot be used
 */
export async function parseFile(input: ParseInput, copy: Writable): Promise<Set<string>> {
  const { file, feed, findings } = input
  const name = `${file.name}.csv`
  const count = countOf(findings, file.name)
  let present = new Set<string>()
  let toText: (values: string[], line: number) => string = () => ''
  let batch = ''
  await readCsv(utf8Bytes(plainBytes(input.open, name), name), name, {
    header(names) {
      const slots = slotsOf(names, input)
      present = new Set(slots.filter((slot) => slot.read !== null).map((slot) => slot.column))
      toText = rowWriter(slots, input)
    },
    row(values, line) {
      if (!feed.implied) count.rows++
      batch += toText(values, line)
    },
    fault(line, value, reason, lines) {
      if (feed.implied) return
      count.rows += lines
      addFault(findings, { file: file.name, line, column: '', value, reason }, lines)
    },
    async pause() {
      if (batch.length < BATCH) return
      const room = copy.write(batch)
      batch = ''
      if (!room) await once(copy, 'drain')
    },
  })
  if (batch !== '') copy.write(batch)
  return present
}

/** Matches a header with the feed. Throws UploadFault naming an unknown, repeated or missing column. */
function slotsOf(names: string[], { file, feed, source, context }: ParseInput): Slot[] {
  const known = knownColumns(file)
  const positions = new Map<string, number>()
  names.forEach((name, at) => {
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

/** Makes the function that turns a row into COPY text: the hot loop of an upload. */
function rowWriter(slots: Slot[], { feed, file, findings }: ParseInput): (values: string[], line: number) => string {
  const idSlot = slots.findIndex((slot) => slot.column === idColumn(feed.set))
  const empties = stageColumns(feed.set).length - 3
  const extra = extraOf(feed.set, slots)
  const texts: string[] = new Array(slots.length).fill('')
  const raw: string[] = new Array(slots.length).fill('')
  return (values, line) => {
    let text = `${line}\tf`
    for (let at = 0; at < slots.length; at++) {
      const slot = slots[at] as Slot
      const value = cellOf(slot.read, values)
      const checked = slot.read === null ? NULL : slot.check(value)
      if (typeof checked !== 'string') {
        if (!feed.implied)
          addFault(findings, { file: file.name, line, column: slot.column, value, reason: checked.reason })
        const id = at > idSlot ? (texts[idSlot] ?? NULL) : NULL
        return id === NULL ? '' : `${line}\tt\t${id}${`\t${NULL}`.repeat(empties)}\n`
      }
      raw[at] = value
      texts[at] = checked
      text += `\t${checked}`
    }
    return `${text}${extra(raw)}\n`
  }
}

function cellOf(read: Slot['read'], values: string[]): string {
  if (read === null) return ''
  if (typeof read !== 'number') return read(values)
  const value = values[read] ?? ''
  if (value === '') return value
  // Trimming every value would cost more than reading it; almost none need it.
  return value.charCodeAt(0) <= 32 || value.charCodeAt(value.length - 1) <= 32 ? value.trim() : value
}

/** Calculated columns of a row, as COPY text starting with a tab. */
function extraOf(set: UploadSet, slots: Slot[]): (raw: string[]) => string {
  const at = (column: string) => slots.findIndex((slot) => slot.column === column)
  if (set === 'scripts') {
    const directions = at('directions')
    const units = dailyUnitsCheck()
    return (raw) => `\t${units(raw[directions] ?? '')}`
  }
  if (set === 'drugs') {
    const [name, molecule, atc] = [at('name'), at('molecule'), at('atc')]
    return (raw) => moleculeText(raw[name] ?? '', raw[molecule] ?? '', raw[atc] ?? '')
  }
  return () => ''
}

function moleculeText(name: string, molecule: string, atc: string): string {
  const found = moleculeOf({ name, molecule, atc })
  const components = found.components.map((component) => `"${component.replace(/["\\]/g, '\\$&')}"`).join(',')
  const columns = [
    copyText(found.key),
    copyText(found.name),
    found.atc ?? NULL,
    copyText(`{${components}}`),
    found.chronic ? 't' : 'f',
    copyText(found.drugType),
    copyText(found.condition),
  ]
  return `\t${columns.join('\t')}`
}
