import type { Day } from './day.ts'
import { businessDaysBetween } from './zone.ts'

/** States of an upload as the specification spells them. */
export const ETL_STATES = [
  'REQUESTED',
  'RECEIVED',
  'OVERRIDE',
  'NOT RECEIVED',
  'PROCESSING',
  'ERROR',
  'COMPLETED',
] as const
export type EtlState = (typeof ETL_STATES)[number]

/** Shown for a pharmacy without any completed upload; never stored. */
export const NEVER_UPLOADED = 'NEVER UPLOADED'
/** What the newest upload of a pharmacy may be shown as. */
export const UPLOAD_STATES = [...ETL_STATES, NEVER_UPLOADED] as const
export type UploadState = (typeof UPLOAD_STATES)[number]
/** Uploads in one of these are in a pharmacy's queue: they wait, or are being loaded. */
export const QUEUE_STATES = ['REQUESTED', 'RECEIVED', 'OVERRIDE', 'PROCESSING'] as const satisfies readonly EtlState[]

export const ETL_EVENTS = [
  'land',
  'give_up',
  'override',
  'claim',
  'complete',
  'fail',
  'lease_expired',
  'requeue',
] as const
export type EtlEvent = (typeof ETL_EVENTS)[number]

/**
 * What may happen in which state. land: the files are whole; give_up: a request went unanswered; override: support
 * forces the load, skipping the row-count check; claim: a worker takes it; requeue: after a lost lease (not after a
 * refusal) the untouched files go back in line, all checks apply again.
 */
export const ETL_TRANSITIONS: Readonly<Record<EtlState, Readonly<Partial<Record<EtlEvent, EtlState>>>>> = {
  REQUESTED: { land: 'RECEIVED', give_up: 'NOT RECEIVED' },
  'NOT RECEIVED': { land: 'RECEIVED' },
  RECEIVED: { claim: 'PROCESSING', override: 'OVERRIDE' },
  OVERRIDE: { claim: 'PROCESSING' },
  PROCESSING: { complete: 'COMPLETED', fail: 'ERROR', lease_expired: 'ERROR' },
  ERROR: { override: 'OVERRIDE', requeue: 'RECEIVED' },
  COMPLETED: {},
}

/** The state after an event, or null when the event is not allowed there. */
export function next(state: EtlState, event: EtlEvent): EtlState | null {
  return ETL_TRANSITIONS[state][event] ?? null
}

/** The states an event may happen in, for the guard of an UPDATE. */
export function statesBefore(event: EtlEvent): EtlState[] {
  return ETL_STATES.filter((state) => ETL_TRANSITIONS[state][event] !== undefined)
}

/** Queue items and their files may be deleted only here. */
export const DELETABLE_STATES: readonly EtlState[] = ['RECEIVED', 'OVERRIDE']

/** Whether an item in this state, in any letter case, may be deleted. */
export function isDeletable(state: string): boolean {
  return DELETABLE_STATES.some((deletable) => deletable === state.toUpperCase())
}

/** A request without files for this long becomes NOT RECEIVED. */
export const REQUEST_WAIT_HOURS = 24
/** A worker that has not renewed its claim for this long has lost it. */
export const LEASE_SECONDS = 120
/** How often a worker renews its claim: three may fail before it is lost. */
export const LEASE_RENEW_SECONDS = 30
/** Claims of one item before a lost lease stays an error. */
export const MAX_ATTEMPTS = 3

/** Whether an item whose lease was lost goes back in line by itself. */
export function mayRequeue(attempts: number): boolean {
  return attempts < MAX_ATTEMPTS
}

/** An initial upload is refused when a set falls by more than this share of the last initial upload's rows. */
export const MAX_ROW_DROP = 0.5
/** More than this share of faulty rows refuses the whole upload. */
export const MAX_FAULTY_SHARE = 0.01

/** Whether rows fell by more than 50% against the last initial upload; nothing to compare with is no fall. */
export function rowsDropped(rows: number, lastInitialRows: number | null): boolean {
  return lastInitialRows !== null && rows < lastInitialRows * (1 - MAX_ROW_DROP)
}

/** Whether more than 1% of the rows are faulty. */
export function tooManyFaulty(faulty: number, rows: number): boolean {
  // Whole numbers: 1 of 100 is not more than 1%, whatever .01 * 100 is in binary.
  return faulty * 100 > rows
}

/**
 * Whether a pharmacy's data is fresh: no full business day lies strictly between the day of its last completed upload
 * and today (both in its own zone). Never uploaded is not fresh.
 */
export function isFresh(lastSuccess: Day | null, today: Day, holidays?: ReadonlySet<Day>): boolean {
  return lastSuccess !== null && businessDaysBetween(lastSuccess, today, holidays) < 1
}

/** Full business days without an upload from which a pharmacy is listed as not uploading. */
export const NO_UPLOAD_BUSINESS_DAYS = 4

/** Whether a pharmacy belongs in the no-upload list: at least `limit` full business days since its last success, or none ever. */
export function hasNotUploaded(
  lastSuccess: Day | null,
  today: Day,
  limit = NO_UPLOAD_BUSINESS_DAYS,
  holidays?: ReadonlySet<Day>,
): boolean {
  return lastSuccess === null || businessDaysBetween(lastSuccess, today, holidays) >= limit
}
