import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { RECEIPT_HOURS } from '../message/message-state.ts'
import * as retention from './retention.ts'

const { daysBefore, GATEWAY_EVENT_DAYS, monthsBefore } = retention

const before = (iso: string, months: number) => monthsBefore(new Date(iso), months).toISOString()

describe('retention', () => {
  it('counts calendar months, stopping at the last day of a shorter month', () => {
    expect(before('2026-11-21T22:10:00.000Z', 24)).toBe('2024-11-21T22:10:00.000Z')
    expect(before('2026-03-31T00:00:00.000Z', 1)).toBe('2026-02-28T00:00:00.000Z')
    expect(before('2024-03-31T00:00:00.000Z', 1)).toBe('2024-02-29T00:00:00.000Z')
    expect(before('2026-01-15T00:00:00.000Z', 13)).toBe('2024-12-15T00:00:00.000Z')
  })

  it('counts days as 24 hours, across clock changes', () => {
    expect(daysBefore(new Date('2026-10-05T12:00:00.000Z'), 7).toISOString()).toBe('2026-09-28T12:00:00.000Z')
  })

  it('keeps everything as long as docs/operations.md says', () => {
    const doc = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8')
    const said = [...doc.matchAll(/\| (\d+) (hours|days|months)[^|(]*\(`(\w+)`\)/g)]
      .filter(([, , , name]) => name! in retention)
      .map(([, count, unit, name]) => [name, unit === 'hours' ? Number(count) / 24 : Number(count)])
    const kept = Object.entries(retention).filter(([, value]) => typeof value === 'number')
    expect(Object.fromEntries(said)).toEqual(Object.fromEntries(kept))
  })

  it('keeps gateway events longer than receipts may arrive', () => {
    expect(GATEWAY_EVENT_DAYS * 24).toBeGreaterThan(RECEIPT_HOURS * 2)
  })
})
