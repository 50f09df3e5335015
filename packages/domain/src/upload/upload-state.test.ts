import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { day } from '../time/day.ts'
import {
  coversAsMuch,
  isCopiedRecord,
  isFresh,
  isOtherRecord,
  LEASE_RENEW_SECONDS,
  LEASE_SECONDS,
  next,
  overrideProblem,
  retrySeconds,
  rowsDropped,
  setbackNote,
  statesBefore,
  tooManyFaulty,
  UPLOAD_EVENTS,
  UPLOAD_STATES,
  type UploadState,
} from './upload-state.ts'

describe('transitions', () => {
  test('every transition of the table', () => {
    const all = UPLOAD_STATES.flatMap((state) =>
      UPLOAD_EVENTS.flatMap((event) => (next(state, event) ? [`${state} ${event} ${next(state, event)}`] : [])),
    )
    expect(all).toEqual([
      'REQUESTED land RECEIVED',
      'REQUESTED give_up NOT RECEIVED',
      'RECEIVED override OVERRIDE',
      'RECEIVED claim PROCESSING',
      'OVERRIDE claim PROCESSING',
      'NOT RECEIVED land RECEIVED',
      'PROCESSING complete COMPLETED',
      'PROCESSING refuse ERROR',
      'PROCESSING put_back RECEIVED',
      'ERROR override OVERRIDE',
    ])
  })

  test('a completed upload never changes, and only a claim leads to processing', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...UPLOAD_EVENTS), { maxLength: 20 }), (events) => {
        let state: UploadState = 'REQUESTED'
        for (const event of events) {
          const after = next(state, event)
          if (state === 'COMPLETED') expect(after).toBeNull()
          if (after === 'PROCESSING') expect(event).toBe('claim')
          state = after ?? state
        }
      }),
    )
  })

  test('each event lists the states that allow it', () => {
    expect(statesBefore('claim')).toEqual(['RECEIVED', 'OVERRIDE'])
    expect(statesBefore('complete')).toEqual(['PROCESSING'])
  })

  test('an override is refused, with its own sentence, exactly where the table has no transition', () => {
    expect(UPLOAD_STATES.filter((state) => overrideProblem(state) === null)).toEqual(['RECEIVED', 'ERROR'])
    for (const state of UPLOAD_STATES) expect(overrideProblem(state) ?? '').not.toContain('cannot be forced')
  })
})

test('a lease survives three failed renewals', () => {
  expect(LEASE_RENEW_SECONDS * 3).toBeLessThan(LEASE_SECONDS)
})

test('server faults are retried with growing waits, at least hourly', () => {
  expect([1, 2, 3, 4].map(retrySeconds)).toEqual([15, 30, 60, 120])
  expect([9, 50, 5000].map(retrySeconds)).toEqual([3600, 3600, 3600])
})

test('the setback note says what happened, that nothing is lost and that no action is needed', () => {
  expect(setbackNote('disk_full')).toBe(
    'The disk of the server was full. Nothing of this upload was applied and nothing of it is lost: it will be loaded by itself.',
  )
})

test('a drop of more than half is refused', () => {
  expect(rowsDropped(50, 100)).toBe(false)
  expect(rowsDropped(49, 100)).toBe(true)
  expect(rowsDropped(0, 1)).toBe(true)
  expect(rowsDropped(0, 0)).toBe(false)
})

test('files are compared with those of an earlier upload that covers as many days, or fewer', () => {
  const days = (from: number | null, to: number) => ({ from, to })
  expect(coversAsMuch(days(0, 29), days(0, 399))).toBe(false)
  expect(coversAsMuch(days(100, 499), days(0, 399))).toBe(true)
  expect(coversAsMuch(days(100, 498), days(0, 399))).toBe(false)
  expect(coversAsMuch(days(100, 499), days(50, 449))).toBe(true)
  expect(coversAsMuch(days(100, 499), days(50, 450))).toBe(false)
  expect(coversAsMuch(days(0, 399), days(null, 399))).toBe(false)
  expect(coversAsMuch(days(null, 399), days(0, 399))).toBe(true)
  expect(coversAsMuch(days(null, 1), days(null, 399))).toBe(true)
})

test('more than 1% faulty rows is refused', () => {
  expect(tooManyFaulty(1, 100)).toBe(false)
  expect(tooManyFaulty(1, 99)).toBe(true)
  expect(tooManyFaulty(0, 0)).toBe(false)
  expect(tooManyFaulty(29, 2900)).toBe(false)
})

test('fresh means no full business day since the data end', () => {
  const thursday = day('2025-08-14')
  expect(isFresh(thursday, thursday)).toBe(true)
  expect(isFresh(thursday, day('2025-08-15'))).toBe(true)
  expect(isFresh(thursday, day('2025-08-18'))).toBe(false)
  expect(isFresh(day('2025-08-15'), day('2025-08-18'))).toBe(true)
  expect(isFresh(null, thursday)).toBe(false)
})

test('a record is another one if more than a fifth of the known ids, and at least three, are about somebody else', () => {
  expect([2, 3].map((other) => isOtherRecord(other, 3))).toEqual([false, true])
  expect([200, 201].map((other) => isOtherRecord(other, 1000))).toEqual([false, true])
})

test('a record is copied from another pharmacy if that one has more than nine tenths of its recognisable patients, and at least 50', () => {
  expect([49, 50].map((shared) => isCopiedRecord(shared, 50))).toEqual([false, true])
  expect([90, 91].map((shared) => isCopiedRecord(shared, 100))).toEqual([false, true])
})
