import type { Database } from '../../db/database.ts'
import type { Anchor } from './anchor.ts'
import { companyNames, firstUnsealed, type Head, lastRow, readHeads, sealsAt, verifyPart } from './verify.queries.ts'

/** The first fault of a broken chain. */
export interface Fault {
  chain: number
  /** The company whose log it is; null for the platform's. */
  company: string | null
  /** Its place in the chain; null for a row without one. */
  seq: number | null
  /** The row, if there is one. */
  row: number | null
  what: 'altered' | 'removed' | 'unsealed' | 'truncated' | 'rewritten'
}

export interface Verdict {
  chains: number
  rows: number
  /** Anchors outside the database that were checked against it. */
  anchors: number
  /** One for each broken chain. */
  faults: Fault[]
}

/** A second's work, and no lock. */
const PART = 20_000
const IDS = 200_000

/**
 * Checks every chain of the audit and names the first row of each that was altered, removed, moved, added without a seal, cut off at the
 * end, or overwritten since an anchor was taken.
 * @param part rows checked in one statement
 */
export async function verifyAudit(system: Database, anchors: readonly Anchor[], part = PART): Promise<Verdict> {
  const last = await lastRow(system)
  const heads = await readHeads(system)
  const anchored = anchoredHeads(anchors)
  const known = new Set(heads.map(({ chain }) => chain))
  const gone = [...anchored.keys()].filter((chain) => !known.has(chain))
  const faults: Omit<Fault, 'company'>[] = gone.map((chain) => ({ chain, seq: 1, row: null, what: 'truncated' }))
  let rows = 0
  for (const head of heads) {
    const walked = await walk(system, head, part)
    rows += walked.rows
    const fault = walked.fault ?? (await againstAnchors(system, head, anchored.get(head.chain)))
    if (fault) faults.push({ chain: head.chain, ...fault })
  }
  const broken = new Set(faults.map(({ chain }) => chain))
  for (let above = 0; above < last; above += IDS) {
    const stray = await firstUnsealed(system, above, Math.min(above + IDS, last))
    if (stray && !broken.has(stray.chain)) faults.push({ ...stray, seq: null, what: 'unsealed' })
  }
  const names = await companyNames(system, faults.map(({ chain }) => chain).filter(Boolean))
  const named = faults.map((fault) => ({ ...fault, company: names.get(fault.chain) ?? null }))
  return { chains: heads.length, rows, anchors: anchors.length, faults: named }
}

type Found = Omit<Fault, 'company' | 'chain'>

/** One chain from its first seal to its head. */
async function walk(system: Database, head: Head, limit: number): Promise<{ rows: number; fault: Found | null }> {
  // Without a head, continue as far as there are seals: the missing head is itself a fault.
  const to = head.seq || Number.MAX_SAFE_INTEGER
  let rows = 0
  for (let at = { seq: 0, hash: '' }; ; ) {
    const part = await verifyPart(system, head.chain, at, to, limit)
    rows += part.rows
    if (part.fault) return { rows, fault: part.fault }
    at = part
    if (part.rows === limit && part.seq < to) continue
    const whole = part.seq === head.seq && part.hash === head.hash
    return { rows, fault: whole ? null : { seq: part.seq + 1, row: null, what: 'truncated' } }
  }
}

/**
 * A chain may be intact and yet not be the anchored one: truncated and given a new head, or rewritten from some row on. Checked against every
 * anchor, not just the newest: that one may have been taken of the rewritten chain.
 */
async function againstAnchors(system: Database, head: Head, anchored: readonly Head[] = []): Promise<Found | null> {
  const places = anchored.map(({ seq }) => seq)
  const seals = await sealsAt(system, head.chain, places)
  const wrong = anchored.find(({ seq, hash }) => seq > head.seq || seals.get(seq) !== hash)
  if (!wrong) return null
  if (wrong.seq > head.seq) return { seq: head.seq + 1, row: null, what: 'truncated' }
  return { seq: wrong.seq, row: null, what: 'rewritten' }
}

/** The anchored heads of each chain, oldest first: each fixes all rows before it. */
const anchoredHeads = (anchors: readonly Anchor[]): Map<number, Head[]> =>
  Map.groupBy(
    anchors.flatMap(({ heads }) => heads),
    ({ chain }) => chain,
  )

const WHAT: Record<Fault['what'], string> = {
  altered: 'was altered',
  removed: 'was removed or moved',
  unsealed: 'was put in past the chain',
  truncated: 'and all after it were cut off',
  rewritten: 'or rows before it were rewritten since the last anchor',
}

/** A fault as a sentence: 'Saltbush Pharmacy Group: entry 12 (row 345) was altered.' */
export function faultSentence({ chain, company, seq, row, what }: Fault): string {
  const log = chain === 0 ? 'The platform' : (company ?? `Company ${chain}`)
  const entry = seq === null ? 'a row' : `entry ${seq}`
  return `${log}: ${entry}${row === null ? '' : ` (row ${row})`} ${WHAT[what]}.`
}
