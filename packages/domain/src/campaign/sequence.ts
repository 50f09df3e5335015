import { counted, listOf, type Problem, pleaseSentence, problemSentence } from '../text/sentence.ts'
import type { Day } from '../time/day.ts'
import { instantAt } from '../time/local-time.ts'

/** What starts a sequence for a patient and a molecule. */
export const SEQUENCE_EVENTS = {
  first_script: 'First script of a medicine',
  refill_due: 'Repeat is due',
  refill_overdue: 'Repeat is overdue',
  last_repeat_dispensed: 'Last repeat dispensed',
  script_expiring: 'Script is about to expire',
  lapsed_patient: 'Patient has not been seen',
} as const
export type SequenceEvent = keyof typeof SEQUENCE_EVENTS
export const SEQUENCE_EVENT_VALUES = Object.keys(SEQUENCE_EVENTS) as [SequenceEvent, ...SequenceEvent[]]
export const SEQUENCE_EVENT_NAME_LIMIT = 200

interface SequenceEventDraft {
  readonly name: string
  readonly value: SequenceEvent | null
}

/** What is missing before a sequence event can be saved, field by field. */
export function sequenceEventProblems(draft: SequenceEventDraft): Problem<keyof SequenceEventDraft>[] {
  const problems: Problem<keyof SequenceEventDraft>[] = []
  if (draft.name.trim() === '') problems.push({ field: 'name', words: 'enter an event name' })
  if (draft.value === null) problems.push({ field: 'value', words: 'select what starts the sequence' })
  return problems
}

/** The same as one sentence; empty when nothing is missing. */
export function sequenceEventProblem(draft: SequenceEventDraft): string {
  return problemSentence(sequenceEventProblems(draft))
}

/** Why what starts an event's sequences cannot be changed; empty while none use it. */
export function eventInUseProblem(name: string, sequences: number, recommended: number): string {
  const used: string[] = []
  if (sequences > 0) used.push(counted(sequences, 'sequence', 'sequences'))
  if (recommended > 0) used.push(counted(recommended, 'recommended sequence', 'recommended sequences'))
  if (used.length === 0) return ''
  return `"${name}" starts ${listOf(used)}. Please create another event and choose it there. Nothing was changed.`
}

/** Minute of the pharmacy's day when follow-ups are sent: 10:00. */
export const SEND_MINUTE = 600
export const REFILL_DUE_DAYS_BEFORE = 5
export const REFILL_OVERDUE_DAYS_AFTER = 7
export const EXPIRING_DAYS_BEFORE = 30
export const NEW_AFTER_DAYS = 365
/** A patient has lapsed after this many of their mean visit cycles without a visit. */
export const LAPSED_CYCLES = 1.5
/** Older events start no sequence. */
export const BACK_FILL_DAYS = 7
/** The same sequence restarts for the same patient and molecule only after this many days. */
export const RE_ENROL_DAYS = 90
/** A missed follow-up is still sent for this many days. */
export const MISSED_DAYS = 3
/** Events that are themselves a supply. On its day, that supply is no response to the messages that follow. */
export const STARTED_BY_SUPPLY: readonly SequenceEvent[] = ['first_script', 'last_repeat_dispensed']
/** A messaged patient has responded when the event's molecule is dispensed within this many days. */
export const RESPONSE_DAYS = 14

export interface EventFacts {
  /** Day of the latest supply of the molecule. */
  readonly supplied: Day
  /** The previous supply of the molecule, null when none is on record. */
  readonly suppliedBefore: Day | null
  /** First day of the patient's history at the pharmacy. */
  readonly historyFrom: Day
  /** First day no longer covered by supplies, early refills carried over. */
  readonly runOut: Day
  readonly repeatsLeft: number
  /** Supply number of the latest supply (1 is the original), and repeats authorised. */
  readonly dispenseNumber: number
  readonly repeatsAuthorised: number
  /** Last day of the script. */
  readonly expires: Day
  /** Last visit of any kind, and the patient's mean days between visits, one-off items excluded; null with fewer than two visits. */
  readonly lastVisit: Day
  readonly meanCycle: number | null
}

/**
 * The day an event happens, according to these facts; null if it does not. The caller checks whether that day has come (decision 021).
 * @reference
 */
export function eventDay(event: SequenceEvent, facts: EventFacts): Day | null {
  const { supplied, suppliedBefore, repeatsLeft } = facts
  switch (event) {
    case 'first_script': {
      const none = suppliedBefore === null || supplied - suppliedBefore > NEW_AFTER_DAYS
      return none && supplied - facts.historyFrom >= NEW_AFTER_DAYS ? supplied : null
    }
    case 'refill_due':
      return repeatsLeft > 0 ? facts.runOut - REFILL_DUE_DAYS_BEFORE : null
    case 'refill_overdue':
      return repeatsLeft > 0 ? facts.runOut + REFILL_OVERDUE_DAYS_AFTER : null
    case 'last_repeat_dispensed':
      return facts.dispenseNumber === facts.repeatsAuthorised + 1 ? supplied : null
    case 'script_expiring':
      return repeatsLeft > 0 ? facts.expires - EXPIRING_DAYS_BEFORE : null
    case 'lapsed_patient':
      return facts.meanCycle === null ? null : facts.lastVisit + Math.ceil(LAPSED_CYCLES * facts.meanCycle)
  }
}

/**
 * Whether an event enrols: it happened at most 7 days ago, and the last enrolment in the same sequence for this patient and molecule was at least 90 days ago.
 * @reference
 */
export function enrols(eventOn: Day, today: Day, lastEnrolled: Day | null): boolean {
  const age = today - eventOn
  return age >= 0 && age <= BACK_FILL_DAYS && (lastEnrolled === null || eventOn - lastEnrolled >= RE_ENROL_DAYS)
}

/** No follow-up comes later than this after its event. */
export const MAX_DAYS_AFTER = 730

export interface FollowUp {
  /** 1.. */
  readonly follow_up_order: number
  /** Days after the event, not after the previous follow-up. */
  readonly days_after: number
}

/** What is wrong with a sequence's follow-ups: at least one, with whole days from 0 that never decrease along the order. */
export function followUpWords(followUps: readonly FollowUp[]): string[] {
  const parts: string[] = []
  if (followUps.length === 0) parts.push('add at least one follow-up')
  const sorted = [...followUps].sort((a, b) => a.follow_up_order - b.follow_up_order)
  if (sorted.some(({ days_after }) => !Number.isInteger(days_after) || days_after < 0 || days_after > MAX_DAYS_AFTER)) {
    parts.push('enter whole days after the event')
  }
  if (new Set(followUps.map((item) => item.follow_up_order)).size < followUps.length) {
    parts.push('give each follow-up its own place')
  }
  if (sorted.some((item, index) => index > 0 && item.days_after < sorted[index - 1]!.days_after)) {
    parts.push('let no follow-up come before the one above it')
  }
  return parts
}

/** The same as one sentence; empty when nothing is wrong. */
export function followUpProblem(followUps: readonly FollowUp[]): string {
  return pleaseSentence(followUpWords(followUps))
}

/** When a follow-up is due: 10:00 in the pharmacy's time zone, this many days after the event. */
export function dueAt(zone: string, eventOn: Day, followUp: FollowUp): Date {
  return instantAt(zone, eventOn + followUp.days_after, SEND_MINUTE)
}

/**
 * Whether an enrolment reached its goal by a day: a supply of the molecule (for a lapsed patient any visit) after the event.
 * @reference
 */
export function goalReached(eventOn: Day, supplies: readonly Day[], known: Day): boolean {
  return supplies.some((supply) => supply > eventOn && supply <= known)
}

export interface FollowUpFacts {
  readonly sequenceActive: boolean
  /** First and last day of the sequence, null when not set. */
  readonly startDay: Day | null
  readonly endDay: Day | null
  readonly consented: boolean
  readonly deceased: boolean
  /** As another pharmacy of the company records it. */
  readonly deceasedElsewhere: boolean
  /** The cost of this message and the rest of the budget, in cents; null without a budget. */
  readonly cents: number
  readonly budgetLeft: number | null
  readonly goalReached: boolean
  /** Messages may have gone out until then without the restored database knowing; null if none was restored. */
  readonly restoredUntil: Date | null
}

export type FollowUpReason =
  | 'goal_reached'
  | 'inactive'
  | 'outside_dates'
  | 'deceased'
  | 'deceased_elsewhere'
  | 'no_consent'
  | 'budget'
  | 'missed'
  | 'restored'
export type FollowUpAnswer =
  | { readonly act: 'wait' }
  | { readonly act: 'send' }
  | { readonly act: 'skip'; readonly reason: FollowUpReason }

/**
 * What to do with a follow-up at an instant; `today` is the day in the pharmacy's time zone. Everything is checked again at sending. A follow-up
 * before its hour waits unless the goal is already reached. One that is more than 3 days late is skipped, and so is one that may have gone out
 * before the database was restored.
 */
export function followUpAnswer(due: Date, now: Date, today: Day, facts: FollowUpFacts): FollowUpAnswer {
  const skip = (reason: FollowUpReason): FollowUpAnswer => ({ act: 'skip', reason })
  if (facts.goalReached) return skip('goal_reached')
  if (now < due) return { act: 'wait' }
  if (now.getTime() > due.getTime() + MISSED_DAYS * 86_400_000) return skip('missed')
  if (facts.restoredUntil !== null && due <= facts.restoredUntil) return skip('restored')
  if (!facts.sequenceActive) return skip('inactive')
  const early = facts.startDay !== null && today < facts.startDay
  if (early || (facts.endDay !== null && today > facts.endDay)) return skip('outside_dates')
  if (facts.deceased) return skip('deceased')
  if (facts.deceasedElsewhere) return skip('deceased_elsewhere')
  if (!facts.consented) return skip('no_consent')
  if (facts.budgetLeft !== null && facts.cents > facts.budgetLeft) return skip('budget')
  return { act: 'send' }
}

/**
 * Whether a messaged patient responded: a supply of the event's molecule on the day of the message or within 14 days after it.
 * @param started the day of the event if it is a supply (`STARTED_BY_SUPPLY`) and therefore no response; else null
 *
 * @reference
 */
export function responded(messaged: Day, supplies: readonly Day[], started: Day | null = null): boolean {
  return supplies.some((supply) => supply >= messaged && supply <= messaged + RESPONSE_DAYS && supply !== started)
}
