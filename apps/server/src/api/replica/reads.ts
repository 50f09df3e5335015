import type { Tx } from '../../db/database.ts'

/** Why the primary answered a read of figures. */
export type Elsewhere = 'behind' | 'away' | 'unusable' | 'busy' | 'conflict' | 'error'
/** Where a read was answered: by the replica, or by the primary and why. */
export type Answered = 'replica' | Elsewhere

/** A replica as the rest of the server sees it (decision 062). */
export interface ReplicaReads {
  /** Reads answered since the start. */
  readonly counts: Readonly<Record<Answered, number>>
  /** Seconds and bytes behind at the last look; null while unknown. */
  readonly lag: { seconds: number; bytes: number } | null
  /** Whether reads currently go to the replica. */
  readonly used: boolean
  /** Its current state, in a sentence. */
  readonly sentence: string
  /** Reads in a transaction at the replica, or at the primary if the replica will not do. `work` may be started twice. */
  read: <T>(companyId: number, work: (tx: Tx) => Promise<T>) => Promise<T>
  /** Records, after a write's commit, that replicas before it are too old for the company. */
  wrote: (companyId: number) => Promise<void>
  close: () => Promise<void>
}
