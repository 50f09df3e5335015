import type { Tx } from '../../db/database.ts'

/** Why the primary answers a read of figures. */
export type Elsewhere = 'behind' | 'away' | 'unusable' | 'busy' | 'conflict' | 'error'
/** Where a read was answered: by the replica, or by the primary and why. */
export type Answered = 'replica' | Elsewhere

/** A replica as everything else knows it (decision 062). */
export interface ReplicaReads {
  /** Reads answered since the start. */
  readonly counts: Readonly<Record<Answered, number>>
  /** Seconds and bytes behind when last looked at; null while it cannot be told. */
  readonly lag: { seconds: number; bytes: number } | null
  /** Whether reads go there. */
  readonly used: boolean
  /** What it is doing, in a sentence. */
  readonly sentence: string
  /** Reads in a transaction at the replica, or, where that does not do, at the primary. `work` may be begun twice. */
  read: <T>(companyId: number, work: (tx: Tx) => Promise<T>) => Promise<T>
  /** Says, after a write's commit, that replicas before it are too old for the company. */
  wrote: (companyId: number) => Promise<void>
  close: () => Promise<void>
}
