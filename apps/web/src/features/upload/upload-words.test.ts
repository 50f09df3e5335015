import type { FaultyPharmacy } from '@pillar/contract/upload/etl-faulty'
import { expect, test } from 'vitest'
import { filtersOf, silenceWords } from './faulty-search.ts'
import { restDay, restsUntil, restWords, silentWords, why } from './faulty-words.ts'

const ROW: FaultyPharmacy = {
  ...{ id: 'p', name: 'Northgate', company: { uuid: 'c', name: 'Saltbush' }, time_zone: 'Australia/Perth' },
  ...{ data_source: 'z', status: 'ERROR', upload: 'u', upload_time: null, notes: 'Row count fell.', faults: 0 },
  ...{ requested_at: null, requested_by: null, last_successful_upload_on: '2026-11-13T20:00:00Z', silent_days: 4 },
  ...{ added_at: '2026-11-04T02:00:00Z', next_step: '', assigned_to: null, note: '', snoozed_until: null },
  ...{ snoozed_until_change: false, version: 0 },
}
const of = (more: Partial<FaultyPharmacy>) => why('AU', { ...ROW, ...more })

test('each state gives its reason, with the days of the pharmacy', () => {
  expect(of({})).toBe('Row count fell.')
  expect(of({ notes: '' })).toBe('The upload was rejected.')
  expect(of({ status: 'NOT RECEIVED' })).toBe('Nothing since 14 Nov 2026')
  expect(of({ status: 'NOT RECEIVED', last_successful_upload_on: null })).toBe('Nothing arrived')
  expect(of({ status: 'NOT RECEIVED', requested_at: '2026-11-17T01:00:00Z' })).toBe(
    'Requested 17 Nov 2026, nothing arrived',
  )
  expect(of({ status: 'REQUESTED', requested_at: '2026-11-17T01:00:00Z', requested_by: 'Anneke Smit' })).toBe(
    'Requested by Anneke Smit, 17 Nov 2026, 9:00 am',
  )
  expect(of({ status: 'NEVER UPLOADED' })).toBe('Added 4 Nov 2026')
  expect(of({ status: 'RECEIVED' })).toBe('In the queue')
})

test('how long a pharmacy was silent, and how long it is snoozed', () => {
  expect([silentWords(null), silentWords(0), silentWords(1)]).toEqual(['Never', 'Up to date', '1 business day silent'])
  const now = new Date('2026-11-20T00:00:00Z')
  expect(restWords('AU', ROW, now)).toBeNull()
  expect(restWords('AU', { ...ROW, snoozed_until: '2026-11-19T00:00:00Z' }, now)).toBeNull()
  expect(restWords('AU', { ...ROW, snoozed_until: '2026-11-21T00:00:00Z' }, now)).toBe(
    'Snoozed until 21 Nov 2026, 8:00 am',
  )
  expect(restWords('AU', { ...ROW, snoozed_until_change: true }, now)).toBe('Snoozed until its state changes')
})

test('a snooze ends when its day begins at the pharmacy, shows the same day when reopened, and none once it is over', () => {
  const until = (time_zone: string) => {
    const snoozed_until = restsUntil({ time_zone }, '2026-12-01')
    const shown = ['2026-11-20T00:00:00Z', snoozed_until].map((now) =>
      restDay({ time_zone, snoozed_until }, new Date(now)),
    )
    return [snoozed_until, ...shown]
  }
  expect(until('Australia/Adelaide')).toEqual(['2026-11-30T13:30:00.000Z', '2026-12-01', ''])
  expect(until('America/Los_Angeles')).toEqual(['2026-12-01T08:00:00.000Z', '2026-12-01', ''])
  expect(restDay(ROW, new Date())).toBe('')
})

test('the filters of the call come from the address bar', () => {
  expect(filtersOf({}).within).toEqual({ module: 'strong_pro', filters: { show_no_uploads: true, business_days: 4 } })
  expect(filtersOf({ by: 'hours', limit: 9999, silence: 'off' }).within.filters).toEqual({
    show_no_uploads: false,
    hours: 2160,
  })
  expect(filtersOf({ state: 'ERROR', assigned: 'me', rest: 'only' }).filters).toEqual({
    ...{ status: 'ERROR', assigned: 'me', snoozed: true },
  })
  expect(silenceWords({ by: 'hours', limit: 1 })).toBe('for more than 1 hour')
  expect(silenceWords({})).toBe('for 4 business days or more')
})
