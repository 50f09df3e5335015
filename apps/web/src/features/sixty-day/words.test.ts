import { expect, test } from 'vitest'
import { driverWords } from './words.ts'

const bar = (name: string, revenue_lost: number) => ({ name, revenue_lost, scripts_lost: 1, affected_scripts: 1 })
const rest = (molecules: number, revenue_lost: number) => ({ molecules, revenue_lost })

test('the molecules behind a loss add up to it: what the Guild may not see is named with its amount', () => {
  const stats = { revenue_lost: 339_107, drivers: [bar('Rosuvastatin', 23_474)], drivers_rest: rest(61, 201_746) }
  expect(driverWords('guild', 63, stats)).toEqual({
    title: 'Rosuvastatin makes up 6.92% of the loss',
    caption:
      'What drives it: molecules by revenue lost at 63% uptake; 61 more lose $201,746 together; $113,887 not shown: molecules of under 3 pharmacies in a state, or where one makes up more than half',
  })
})

test('a company sees all of its molecules', () => {
  const stats = { revenue_lost: 100.3, drivers: [bar('Atorvastatin', 100)], drivers_rest: rest(0, 0) }
  expect(driverWords('company', 5.5, stats)).toEqual({
    title: 'Atorvastatin makes up 99.70% of the loss',
    caption: 'What drives it: molecules by revenue lost at 5.5% uptake',
  })
})

test('if no molecule comes from enough pharmacies to be shown, the title does not say that none loses scripts', () => {
  const none = { drivers: [], drivers_rest: rest(0, 0) }
  expect(driverWords('guild', 63, { ...none, revenue_lost: 500 }).title).toBe('No medicine can be shown')
  expect(driverWords('guild', 63, { ...none, revenue_lost: 0 }).title).toBe('No medicine would lose scripts')
})
