import type { Day } from '@pillar/domain/time/day'

/** One line of a dispensing system, invented or read from a file. */
export interface Line {
  readonly patient: string
  readonly molecule: string
  readonly day: Day
  /** Days' supply, 1 to 365. */
  readonly days: number
  /** The patient's payment, in cents; may be negative. */
  readonly cents: number
  /** The government's payment, in cents; 0 if omitted. */
  readonly government?: number
  readonly prescription: string | null
  /** Repeats authorised, from the line; null if it does not say. */
  readonly repeats?: number | null
  /** The pharmacy's cost, in cents; null if not sent. */
  readonly cost?: number | null
  /** The source of the days: 1 sent, 2 directions, 3 packs, 5 nothing known. 1 if omitted. */
  readonly basis?: number
  /** Supply number: 1 for the original, 2 for the first repeat. */
  readonly number: number | null
  /** Patient type as a number, 0 or omitted if unknown. */
  readonly type?: number
  readonly state?: 'reversed' | 'deferred' | 'owing' | null
}

export interface Medicine {
  readonly molecule: string
  readonly atc: string | null
  /** Taken continuously. */
  readonly chronic: boolean
  /** Unclassified if omitted. */
  readonly drugType?: string
  readonly condition?: string
  /** Active ingredients of a combination; the molecule itself if omitted. */
  readonly components?: readonly string[]
}

export interface Person {
  readonly id: string
  readonly died: Day | null
  /** Lives in a care facility. */
  readonly facility: boolean
  readonly sex?: 'F' | 'M' | null
  readonly born?: Day | null
  /** Marked as a fake patient. */
  readonly fake?: boolean
}

export interface Prescribed {
  readonly id: string
  readonly patient: string
  readonly molecule: string
  readonly ceased: Day | null
  readonly repeats?: number | null
  readonly prescribed?: Day | null
}

/** Everything one pharmacy has stored. */
export interface World {
  readonly lines: readonly Line[]
  readonly medicines: readonly Medicine[]
  readonly people: readonly Person[]
  readonly prescriptions: readonly Prescribed[]
}
