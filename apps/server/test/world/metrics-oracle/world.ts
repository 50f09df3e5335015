import type { Day } from '@pillar/domain/time/day'

/** One line of a dispensing system, made up or read from a file. */
export interface Line {
  readonly patient: string
  readonly molecule: string
  readonly day: Day
  /** Days' supply, 1 to 365. */
  readonly days: number
  /** What the patient paid, in cents; may be negative. */
  readonly cents: number
  /** What the government paid, in cents; 0 when left out. */
  readonly government?: number
  readonly prescription: string | null
  /** Repeats authorised, as the line says; null when it does not. */
  readonly repeats?: number | null
  /** What it cost the pharmacy, in cents; null when it was not sent. */
  readonly cost?: number | null
  /** Where the days come from: 1 sent, 2 directions, 3 packs, 5 nothing known. 1 when left out. */
  readonly basis?: number
  /** Supply number: 1 for the original, 2 for the first repeat. */
  readonly number: number | null
  /** Patient type as a number, 0 or left out when unknown. */
  readonly type?: number
  readonly state?: 'reversed' | 'deferred' | 'owing' | null
}

export interface Medicine {
  readonly molecule: string
  readonly atc: string | null
  /** Taken continuously. */
  readonly chronic: boolean
  /** Unclassified when left out. */
  readonly drugType?: string
  readonly condition?: string
  /** Active ingredients of a combination; the molecule itself when left out. */
  readonly components?: readonly string[]
}

export interface Person {
  readonly id: string
  readonly died: Day | null
  /** Lives in a care facility. */
  readonly facility: boolean
  readonly sex?: 'F' | 'M' | null
  readonly born?: Day | null
  /** Marked as not real. */
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
