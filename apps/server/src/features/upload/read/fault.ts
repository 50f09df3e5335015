import type { UploadSet } from '@pillar/domain/upload/upload-format'

/** Why a whole upload could not be loaded: one sentence for the pharmacy, stored as the upload's note. */
export class UploadFault extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'UploadFault'
  }
}

/** One faulty row, as a pharmacy can find it in its own file. */
export interface RowFault {
  file: string
  line: number
  column: string
  value: string
  reason: string
}

/** Faulty rows stored per upload; all are counted. */
export const MAX_KEPT_FAULTS = 1000
const MAX_SHOWN = 80
/** Longest stored reason and place: both may quote the file. */
const MAX_REASON = 500

/** A copy of the text: a substring keeps the whole original in memory, which may be a line of a megabyte. */
export const copyOf = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le')

/** A value as shown in a fault: at most 80 characters. */
export function shown(value: string): string {
  return value.length > MAX_SHOWN ? `${copyOf(value.slice(0, MAX_SHOWN))}…` : copyOf(value)
}

/** Row counts of one file of an upload. Rows are lines after the header, without blank ones. */
export interface FileCount {
  rows: number
  loaded: number
  faulty: number
}

/** Collects faults and notes over one load. */
export interface Findings {
  faults: RowFault[]
  counts: Map<string, FileCount>
  notes: string[]
  /** Lines that should be scripts but could not be read as far as their id. */
  unread?: number
  /** Patients and days of its scripts; absent until they are staged. */
  span?: { patients: number; from: string; to: string } | null
}

export function countOf(findings: Findings, file: string): FileCount {
  const known = findings.counts.get(file)
  if (known) return known
  const made = { rows: 0, loaded: 0, faulty: 0 }
  findings.counts.set(file, made)
  return made
}

/** Counts lines of a set that could not be read as far as their id: the rows they name must not count as missing. */
export function addUnread(findings: Findings, set: UploadSet, lines = 1): void {
  if (set === 'scripts') findings.unread = (findings.unread ?? 0) + lines
}

/** Notes once that a file holds letters lost before it was sent: names with � are shown, and texted, like that. */
export const noteLost =
  (findings: Findings, file: string) =>
  (line: number): void => {
    const what = `${file} has the sign � from line ${line} on`
    if (findings.notes.some((note) => note.startsWith(what))) return
    findings.notes.push(
      `${what}, for letters lost in the export: names and texts with it are shown and sent like that.`,
    )
  }

/** Counts a faulty row and stores it while there is room. */
export function addFault(findings: Findings, fault: RowFault, rows = 1): void {
  countOf(findings, fault.file).faulty += rows
  if (findings.faults.length < MAX_KEPT_FAULTS) findings.faults.push(kept(fault))
}

const kept = ({ value, column, reason, ...place }: RowFault): RowFault => ({
  ...place,
  ...{ value: shown(value), column: copyOf(column.slice(0, MAX_REASON)), reason: copyOf(reason.slice(0, MAX_REASON)) },
})
