import { expect, it } from 'vitest'
import { STARTER_DRAFTS } from '../message/starter-draft.ts'
import { offerIn } from './offer-words.ts'

it.each([
  ['Sunscreen is 20% off at {Pharmacy Name}', '20% off'],
  ['Take 20 per cent off all sunscreens', '20 per cent off'],
  ['Get $5 off your next vitamins', '$5 off'],
  ['Our summer Specials are in', 'Specials'],
  ['Save up to £10 today', 'Save up to £10'],
  ['A free gift waits for you', 'free gift'],
])('%s reads like an offer', (text, words) => {
  expect(offerIn(text)).toBe(words)
})

it.each([
  'Your next repeat is due at {Pharmacy Name}. Call {Pharmacy Number}.',
  'Take your tablets at the same time each day to save yourself a worry.',
  'A 60 day script can save you a visit and a fee.',
  'Your script is ready: no need to wait.',
])('%s does not', (text) => {
  expect(offerIn(text)).toBeNull()
})

it('no starter draft of health outreach reads like an offer', () => {
  const outreach = STARTER_DRAFTS.filter(({ kind }) => kind === 'health_outreach')
  expect(outreach.length).toBeGreaterThan(10)
  expect(outreach.filter(({ text }) => offerIn(text) !== null)).toEqual([])
})
