import type { UploadSet } from '@pillar/domain/upload/upload-format'
import type { OpenFile } from '../../../gateways/file/file-store.ts'
import { idColumn, SEALED_CELLS, stageColumns, UNTOLD_CELLS } from '../load/stage.ts'
import { type Check, type CheckContext, copyText, dailyUnitsCheck, NULL } from './check.ts'
import { addFault, addUnread, type Findings } from './fault.ts'
import { moleculeOf } from './molecule.ts'
import type { Feed, SourceFile, SourceProfile } from './source-profile.ts'

/** Seals a value of the row with this id, as COPY text; null if it is to be stored plain. */
export type SealCell = (column: 'address' | 'mobile' | 'email', id: string, value: string) => string

/** One file read for one set. */
export interface ParseInput {
  open: OpenFile
  source: SourceProfile
  file: SourceFile
  feed: Feed
  context: CheckContext
  findings: Findings
  /** Added to the staged line numbers if several files fill one set: for one id the later file counts. */
  lineBase?: number
  /** For a set with sealed columns. */
  seal?: SealCell
}

/** The result of reading one file. */
export interface ReadFile {
  /** Its canonical columns. */
  columns: ReadonlySet<string>
  /** Its last line. */
  lines: number
}

type RowInput = Pick<ParseInput, 'feed' | 'file' | 'findings' | 'lineBase' | 'seal'>

/**
 * Turns the values of a row into COPY text. A faulty row goes to the findings, and only its id is staged.
 * @param version when the row was last changed, as COPY text; the newest for an id counts
 * @param deathDateUnknown whether a patient's day of death is only an assumption
 */
export type RowWriter = (values: string[], line: number, version?: string, deathDateUnknown?: boolean) => string

/** How one column of a staged row is filled from the row's values. */
export interface Slot {
  column: string
  /** Position in the file, or a function; null if the file has no such column. */
  read: number | ((values: string[]) => string) | null
  check: Check
  /** The name a fault uses if it is not the column's: a path within a resource. */
  label?: string
}

/** Makes the function that turns a row into COPY text: the hot loop of an upload. */
export function rowWriter(slots: readonly Slot[], { feed, file, findings, lineBase = 0, seal }: RowInput): RowWriter {
  const idSlot = slots.findIndex((slot) => slot.column === idColumn(feed.set))
  const extra = extraOf(feed.set, slots, seal)
  const untold = slots.map(({ column }) => UNTOLD_CELLS[feed.set]?.has(column) ?? false)
  const sealed = slots.map(({ column }) => SEALED_CELLS[feed.set]?.has(column) ?? false)
  const texts: string[] = new Array(slots.length).fill('')
  const raw: string[] = new Array(slots.length).fill('')
  return (values, line, version = NULL, deathDateUnknown = false) => {
    let text = `${line + lineBase}\tf`
    for (let at = 0; at < slots.length; at++) {
      const slot = slots[at] as Slot
      const value = cellOf(slot.read, values)
      const checked = slot.read === null ? NULL : slot.check(value)
      if (typeof checked !== 'string') {
        if (!feed.implied)
          addFault(findings, {
            file: file.name,
            line,
            column: slot.label ?? slot.column,
            value: untold[at] ? '' : value,
            reason: checked.reason,
          })
        const id = at > idSlot ? (texts[idSlot] ?? NULL) : NULL
        if (id === NULL && !feed.implied) addUnread(findings, feed.set)
        return id === NULL ? '' : faultyRow(feed.set, line + lineBase, id)
      }
      raw[at] = value
      texts[at] = checked
      text += `\t${sealed[at] ? sealedCell(seal, 'address', raw[idSlot] ?? '', value) : checked}`
    }
    return `${text}${extra(raw, deathDateUnknown)}\t${version}\n`
  }
}

/** @throws Error rather than writing it plain */
function sealedCell(seal: RowInput['seal'], column: Parameters<SealCell>[0], id: string, value: string): string {
  if (value === '') return NULL
  if (!seal) throw new Error('there is nothing to seal a column of the upload with')
  return seal(column, id, value)
}

/** The staged row for a faulty one: only its id, so that an initial upload does not delete what could not be read. */
export function faultyRow(set: UploadSet, line: number, id: string): string {
  return `${line}\tt\t${id}${`\t${NULL}`.repeat(stageColumns(set).length - 3)}\n`
}

/**
 * The staged row for a script that its source deleted or took back, or for a prescription that no longer is one: faulty and marked, with
 * nothing but its id and a version.
 * @param listed whether it comes from a list of deletions rather than a line among the scripts
 */
export function removedRow(
  set: UploadSet,
  line: number,
  id: string,
  { version, listed }: { version: string; listed: boolean },
): string {
  const mark = set === 'scripts' ? 'reversed' : 'removed'
  const values = stageColumns(set).map(([name]) => {
    if (name === 'line') return String(line)
    if (name === 'faulty' || name === mark) return 't'
    if (name === 'version') return version
    if (name === 'deferred' && listed) return 't'
    return name === idColumn(set) ? id : NULL
  })
  return `${values.join('\t')}\n`
}

function cellOf(read: Slot['read'], values: string[]): string {
  if (read === null) return ''
  if (typeof read !== 'number') return read(values)
  const value = values[read] ?? ''
  if (value === '') return value
  // Trimming every value would cost more than reading it; almost none need it.
  return mayBeBlank(value.charCodeAt(0)) || mayBeBlank(value.charCodeAt(value.length - 1)) ? value.trim() : value
}

/** True for every blank: spaces and tabs, and the no-break spaces and byte order marks that spreadsheets and joined files bring. */
const mayBeBlank = (code: number) => code <= 32 || code >= 0xa0

/** Calculated columns of a row, as COPY text starting with a tab. */
function extraOf(
  set: UploadSet,
  slots: readonly Slot[],
  seal: RowInput['seal'],
): (raw: string[], deathDateUnknown: boolean) => string {
  const at = (column: string) => slots.findIndex((slot) => slot.column === column)
  if (set === 'scripts') {
    const directions = at('directions')
    const units = dailyUnitsCheck()
    return (raw) => `\t${units(raw[directions] ?? '')}`
  }
  if (set === 'prescriptions') return () => `\t${NULL}`
  if (set === 'patients') {
    const [id, mobile, email] = [at('patient_id'), at('mobile'), at('email')]
    const cell = (column: 'mobile' | 'email', raw: string[], value: string) =>
      sealedCell(seal, column, raw[id] ?? '', value)
    return (raw, deathDateUnknown) =>
      `\t${cell('mobile', raw, raw[mobile] ?? '')}\t${cell('email', raw, raw[email] ?? '')}\t${deathDateUnknown ? 't' : NULL}`
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
