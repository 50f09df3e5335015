import type { Day } from '../time/day.ts'
import { businessDaysBetween } from '../time/zone.ts'

/** States of an upload as spelled in the specification. */
export const UPLOAD_STATES = [
  'REQUESTED',
  'RECEIVED',
  'OVERRIDE',
  'NOT RECEIVED',
  'PROCESSING',
  'ERROR',
  'COMPLETED',
] as const
export type UploadState = (typeof UPLOAD_STATES)[number]

/** Shown for a pharmacy without any completed upload; never stored. */
export const NEVER_UPLOADED = 'NEVER UPLOADED'
/** The states shown for the newest upload of a pharmacy. */
export const SHOWN_UPLOAD_STATES = [...UPLOAD_STATES, NEVER_UPLOADED] as const
/** States of uploads in a pharmacy's queue: they are waiting or loading. */
export const QUEUE_STATES = [
  'REQUESTED',
  'RECEIVED',
  'OVERRIDE',
  'PROCESSING',
] as const satisfies readonly UploadState[]

export const UPLOAD_EVENTS = ['land', 'give_up', 'override', 'claim', 'complete', 'refuse', 'put_back'] as const
export type UploadEvent = (typeof UPLOAD_EVENTS)[number]

/**
 * Allowed events per state. land: all files have arrived; give_up: a request got no upload; override: support
 * forces the load, skipping the checks that compare it with what is stored; claim: a worker takes it; refuse: the data is at fault; put_back: the server is
 * at fault (it stopped, or lost its database or disk space), so the untouched files return to the queue. A forced upload stays forced.
 */
export const UPLOAD_TRANSITIONS: Readonly<Record<UploadState, Readonly<Partial<Record<UploadEvent, UploadState>>>>> = {
  REQUESTED: { land: 'RECEIVED', give_up: 'NOT RECEIVED' },
  'NOT RECEIVED': { land: 'RECEIVED' },
  RECEIVED: { claim: 'PROCESSING', override: 'OVERRIDE' },
  OVERRIDE: { claim: 'PROCESSING' },
  PROCESSING: { complete: 'COMPLETED', refuse: 'ERROR', put_back: 'RECEIVED' },
  ERROR: { override: 'OVERRIDE' },
  COMPLETED: {},
}

/** The state after an event, or null when the event is not allowed there. */
export function next(state: UploadState, event: UploadEvent): UploadState | null {
  return UPLOAD_TRANSITIONS[state][event] ?? null
}

/** The states in which an event is allowed, for the guard of an UPDATE. */
export function statesBefore(event: UploadEvent): UploadState[] {
  return UPLOAD_STATES.filter((state) => UPLOAD_TRANSITIONS[state][event] !== undefined)
}

const NO_OVERRIDE: Readonly<Partial<Record<UploadState, string>>> = {
  REQUESTED: 'The files of this upload have not arrived.',
  'NOT RECEIVED': 'The files of this upload have not arrived.',
  OVERRIDE: 'This upload is forced already and waits to be loaded.',
  PROCESSING: 'This upload is being loaded. Wait until that is over.',
  COMPLETED: 'This upload was loaded already.',
}

/** Why support cannot force an upload in this state; null when it can. */
export function overrideProblem(state: UploadState): string | null {
  return next(state, 'override') ? null : (NO_OVERRIDE[state] ?? `An upload in ${state} cannot be forced.`)
}

/** A worker that has not renewed its claim for this long has lost it. */
export const LEASE_SECONDS = 120
/** How often a worker renews its claim: three renewals may fail before it is lost. */
export const LEASE_RENEW_SECONDS = 30

/** Faults that stop a load without being in its data. */
export type Setback = 'broken_off' | 'disk_full' | 'database_away' | 'files_away' | 'keys_away'

const SETBACKS: Readonly<Record<Setback, string>> = {
  broken_off: 'The load broke off, because the server or its database stopped or could not go on.',
  disk_full: 'The disk of the server was full.',
  database_away: 'The database of the server was away or overloaded.',
  files_away: 'The server could not reach the place where it keeps uploads.',
  keys_away: 'The server lacked a key that seals addresses and numbers.',
}

/** The note of an upload that returned to the queue after a setback. */
export function setbackNote(setback: Setback): string {
  return `${SETBACKS[setback]} Nothing of this upload was applied and nothing of it is lost: it will be loaded by itself.`
}

const FIRST_RETRY_SECONDS = 15
/** The longest an upload waits after a setback. */
export const LONGEST_RETRY_SECONDS = 3600

/** Seconds until an upload is retried after its `setbacks`th setback: 15, doubling each time, at most an hour, without a last attempt. */
export function retrySeconds(setbacks: number): number {
  return Math.min(LONGEST_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** Math.min(setbacks - 1, 20))
}

/** An initial upload is refused when a file has fewer rows than this share of what was there before. */
export const MAX_ROW_DROP = 0.5

/** Whether rows fell by more than 50%. */
export function rowsDropped(rows: number, before: number): boolean {
  return rows < before * (1 - MAX_ROW_DROP)
}

/** Fewer may be the few people of a second system. */
const LEAST_COMPARED = 50
const LEAST_RECOGNISED = 0.2

/** Whether so few of the patients whom another dispensing system should know were recognised that their columns do not say who they are. */
export function isUnrecognised(recognised: number, patients: number): boolean {
  return patients >= LEAST_COMPARED && recognised < patients * LEAST_RECOGNISED
}

/** Of fewer scripts, a few dear ones can be the middle. */
const LEAST_PRICED = 30
/** A pharmacy's middle price of a day and of a year differ by less than this; cents and dollars by five times as much. */
const OTHER_SCALE = 20

interface MiddlePrice {
  readonly count: number
  readonly cents: number
}

/** Whether prices are of another scale than those stored, such as cents for dollars. */
export function isOtherScale(sent: MiddlePrice, stored: MiddlePrice): boolean {
  if (Math.min(sent.count, stored.count) < LEAST_PRICED) return false
  return Math.max(sent.cents / stored.cents, stored.cents / sent.cents) >= OTHER_SCALE
}

/** Fewer may be ids that a pharmacy gave again by mistake. */
const LEAST_OTHERS = 3
const MAX_OTHERS = 0.2

/** Whether so many of the rows whose ids are stored are about somebody or something else that the record is not this pharmacy's. */
export function isOtherRecord(other: number, known: number): boolean {
  return other >= LEAST_OTHERS && other > known * MAX_OTHERS
}

/** Fewer may be the patients whom two small pharmacies of a town share. */
const LEAST_SHARED = 50
const MOST_SHARED = 0.9

/** Whether so many of a pharmacy's recognisable patients are also another pharmacy's that it has sent that one's record. */
export function isCopiedRecord(shared: number, recognisable: number): boolean {
  return shared >= LEAST_SHARED && shared > recognisable * MOST_SHARED
}

/** The days an initial upload covers, as it states them. `from` null: from the beginning of the record. */
export interface CoveredDays {
  readonly from: Day | null
  readonly to: Day
}

/** Whether an upload covers at least as many days as an earlier one, so that the rows of their files can be compared. */
export function coversAsMuch(upload: CoveredDays, earlier: CoveredDays): boolean {
  if (upload.from === null) return true
  return earlier.from !== null && upload.to - upload.from >= earlier.to - earlier.from
}

/** Whether more than 1% of the rows are faulty. */
export function tooManyFaulty(faulty: number, rows: number): boolean {
  // In whole numbers: 1 of 100 is not more than 1%, whatever .01 * 100 is in floating point.
  return faulty * 100 > rows
}

/**
 * Whether a pharmacy's data are fresh: no Monday to Friday, public holidays included, lies strictly between their last day and today in its
 * zone. Without data they are not.
 */
export function isFresh(dataTo: Day | null, today: Day): boolean {
  return dataTo !== null && businessDaysBetween(dataTo, today) < 1
}
