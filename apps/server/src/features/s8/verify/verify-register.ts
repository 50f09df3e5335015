import { type ChainFault, chainFaultWords } from '@pillar/domain/s8/attention'
import type { Database, Tx } from '../../../db/database.ts'
import { inScope, type Scope } from '../../../db/scope.ts'
import {
  evidenceFault,
  faultAt,
  hashAt,
  headPlace,
  lastPlace,
  noteCheck,
  type RegisterHead,
  readRegisterHeads,
  verifyEntries,
  wrongBalance,
} from './verify-register.queries.ts'

/** The anchored place of a chain, outside the database. */
export interface Anchored {
  /** 0 if only contradictions and counts were anchored. */
  seq: number
  hash: string
  /** The chain of contradictions and counts beside the entries. */
  evidence?: { seq: number; hash: string }
}

/** The result of checking one pharmacy's register. */
export interface RegisterVerdict {
  locationId: number
  pharmacy: string
  entries: number
  /** The first altered item. */
  fault: ChainFault | null
}

/** Entries checked in one statement: a sixth of a second's work. */
const PART = 50_000
/** Parts checked side by side, each on its own connection. */
const AT_ONCE = 3

/** How each read of a check gets its transaction: parts run on their own connections, or one after another in the caller's. */
type InTx = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/**
 * Checks the registers of all pharmacies of a scope, and writes down for each what was found.
 * @param unchecked called for a register that could not be checked, after which the others still are; by default the first ends it
 */
export async function verifyScope(
  app: Database,
  scope: Scope,
  anchors: ReadonlyMap<number, Anchored>,
  now: Date,
  unchecked = (_locationId: number, error: unknown): void => {
    throw error
  },
): Promise<RegisterVerdict[]> {
  const heads = await inScope(app, scope, readRegisterHeads)
  const known = new Set(heads.map(({ locationId }) => locationId))
  const gone = scope.locationIds.filter((id) => !known.has(id) && anchors.has(id))
  const checks = [
    ...gone.map((id) => [id, async () => goneVerdict(id)] as const),
    ...heads.map((head) => {
      const own: InTx = (work) => inScope(app, { ...scope, locationIds: [head.locationId] }, work)
      return [head.locationId, () => verifyRegister(own, head, anchors.get(head.locationId), AT_ONCE)] as const
    }),
  ]
  const verdicts: RegisterVerdict[] = []
  for (const [locationId, check] of checks) {
    try {
      const verdict = await check()
      await inScope(app, scope, (tx) => noteCheck(tx, locationId, verdict, now))
      verdicts.push(verdict)
    } catch (error) {
      unchecked(locationId, error)
    }
  }
  return verdicts
}

const goneVerdict = (locationId: number): RegisterVerdict => ({
  ...{ locationId, pharmacy: `Pharmacy ${locationId}`, entries: 0 },
  fault: { seq: 1, number: null, what: 'truncated' },
})

/** Checks one pharmacy's register in the caller's transaction, and writes down what was found. */
export async function verifyOne(
  tx: Tx,
  head: RegisterHead,
  anchor: Anchored | undefined,
  now: Date,
): Promise<RegisterVerdict> {
  const verdict = await verifyRegister((work) => work(tx), head, anchor, 1)
  await noteCheck(tx, head.locationId, verdict, now)
  return verdict
}

async function verifyRegister(
  own: InTx,
  head: RegisterHead,
  anchor: Anchored | undefined,
  atOnce: number,
): Promise<RegisterVerdict> {
  const { locationId, pharmacy } = head
  const last = await own((tx) => lastPlace(tx, locationId))
  const to = head.seq || last.seq
  // Balances take half as long as the chain: if connections allow, they are added up meanwhile.
  const adding = atOnce > 1 ? own((tx) => wrongBalance(tx, locationId)) : null
  const [{ entries, wrong }, added] = await Promise.all([verifyParts(own, locationId, to, atOnce), adding])
  const fault =
    wrong === null
      ? ((await endFault(own, head, last)) ??
        (await anchorFault(own, head, anchor)) ??
        (adding ? added : await own((tx) => wrongBalance(tx, locationId))) ??
        (await own((tx) => evidenceFault(tx, head, anchor?.evidence))))
      : await own((tx) => faultAt(tx, locationId, wrong))
  return { locationId, pharmacy, entries, fault }
}

/** All parts of a chain up to a place, several at once: each link can be checked by the hash stored before it. */
async function verifyParts(own: InTx, locationId: number, to: number, atOnce: number) {
  const starts = Array.from({ length: Math.ceil(to / PART) }, (_, part) => part * PART)
  let entries = 0
  let wrong: number | null = null
  const worker = async () => {
    for (let after = starts.shift(); after !== undefined; after = starts.shift()) {
      const from = after
      const found = await own((tx) => verifyEntries(tx, locationId, from, Math.min(from + PART, to)))
      entries += found.rows
      if (found.wrong !== null) wrong = Math.min(wrong ?? found.wrong, found.wrong)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, starts.length) }, worker))
  return { entries, wrong: wrong as number | null }
}

/** The chain must end where its head says, with that hash. */
async function endFault(own: InTx, head: RegisterHead, last: { seq: number }): Promise<ChainFault | null> {
  if (head.seq === 0 && last.seq === 0) return null
  // The first entries of a register that had only counts may have come since the head was read.
  if (head.seq === 0 && (await own((tx) => headPlace(tx, head.locationId))) >= last.seq) return null
  if (head.seq === 0 || last.seq < head.seq) return { seq: last.seq + 1, number: null, what: 'truncated' }
  const end = await own((tx) => hashAt(tx, head.locationId, head.seq))
  return end === head.hash ? null : { seq: head.seq, number: null, what: 'rewritten' }
}

/** A chain may be consistent and yet not be the anchored one: cut off and given a new head, or rewritten from some entry on. */
async function anchorFault(own: InTx, head: RegisterHead, anchor: Anchored | undefined): Promise<ChainFault | null> {
  if (!anchor || anchor.seq === 0) return null
  if (head.seq < anchor.seq) return { seq: head.seq + 1, number: null, what: 'truncated' }
  const now = await own((tx) => hashAt(tx, head.locationId, anchor.seq))
  return now === anchor.hash ? null : { seq: anchor.seq, number: null, what: 'rewritten' }
}

/** A fault as a sentence: 'Harbour Street Pharmacy: entry 12 (transaction 345) was altered or moved.' */
export const registerFaultSentence = ({ pharmacy, fault }: RegisterVerdict): string =>
  fault === null ? `${pharmacy}: the register is as it was written.` : `${pharmacy}: ${chainFaultWords(fault)}.`
