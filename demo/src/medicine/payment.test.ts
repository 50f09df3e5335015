import type { PatientType } from '@pillar/domain/dispensing/patient-type'
import { describe, expect, it } from 'vitest'
import { dayOf } from '../calendar.ts'
import { fullPrice, pay } from './payment.ts'

function paid(type: PatientType, full: number, date: string, before = 0, discount = 1) {
  const out = { type, patient: 0, government: 0 }
  const net = { year: 0, paid: before }
  pay(out, type, full, dayOf(date), net, discount)
  return { ...out, net: net.paid }
}

describe('pay', () => {
  it('charges the co-payment of the date', () => {
    expect(paid('General', 5000, '2025-12-31')).toMatchObject({ patient: 3160, government: 1840 })
    expect(paid('General', 5000, '2026-01-01')).toMatchObject({ patient: 2500, government: 2500 })
    expect(paid('Concession', 5000, '2023-06-01')).toMatchObject({ patient: 730, government: 4270, net: 730 })
  })

  it('leaves a price below the general co-payment to the patient, at the pharmacy’s own price', () => {
    expect(paid('General', 2000, '2026-03-01', 0, 0.9)).toMatchObject({ type: 'General', patient: 1800, government: 0 })
  })

  it('switches to Safety Net once the threshold is paid', () => {
    expect(paid('Concession', 5000, '2026-03-01', 27_719)).toMatchObject({ type: 'Concession', patient: 770 })
    expect(paid('Concession', 5000, '2026-03-01', 27_720)).toMatchObject({
      type: 'Safety Net',
      patient: 0,
      government: 5000,
    })
    expect(paid('General', 5000, '2026-03-01', 174_820)).toMatchObject({ type: 'Safety Net', patient: 770 })
    expect(paid('DVA', 5000, '2026-03-01', 27_720)).toMatchObject({ type: 'DVA', patient: 0 })
  })

  it('pays nothing for a private script and keeps it out of the safety net', () => {
    expect(paid('Private', 5000, '2026-03-01', 100)).toMatchObject({ patient: 5600, government: 0, net: 100 })
  })
})

describe('fullPrice', () => {
  it('charges one fee and twice the goods for a 60-day supply', () => {
    const one = fullPrice(2000, 1, dayOf('2026-03-01'))
    const two = fullPrice(2000, 2, dayOf('2026-03-01'))
    expect(one).toBe(2000)
    expect(two).toBe(2621)
  })
})
