import { expect, test } from 'vitest'
import { activationOf, type Forecasted } from './activation-words.ts'

const of = (name: string, country: 'AU' | 'GB', forecast: Partial<Forecasted['forecast']> = {}): Forecasted => ({
  campaign: { campaign_id: `id of ${name}`, name, country },
  forecast: {
    ...{
      messages: 2,
      channels: [{ channel: 'sms', messages: 2 }],
      will_receive: 2,
      held_back: 1,
      cents: 30,
      problem: '',
    },
    ...forecast,
  },
})

test('several campaigns of one country have one number of messages and one price', () => {
  expect(activationOf('AU', [of('Winter', 'AU'), of('Heart', 'AU')], 3)).toEqual({
    expected: [
      { campaign_id: 'id of Winter', messages: 2 },
      { campaign_id: 'id of Heart', messages: 2 },
    ],
    words: '4 messages to 4 patients, $0.60. 2 held back. Sending starts after two minutes, or on the start date.',
    button: 'Send 4 texts, $0.60',
    refused: '',
  })
})

test('the digits of large numbers are grouped', () => {
  const large = { messages: 1203, will_receive: 1190, held_back: 4021, cents: 18045 }
  expect(activationOf('AU', [of('Winter', 'AU', large)], 1).words).toMatch(
    /^1,203 messages to 1,190 patients, \$180\.45\. 4,021 held back\./,
  )
})

test('costs in several countries are not added up', () => {
  const { words, button } = activationOf('AU', [of('Winter', 'AU'), of('Heart', 'GB', { cents: 9 })], 2)
  expect(words).toMatch(/^4 messages to 4 patients, \$0\.30 in Australia and £0\.09 in United Kingdom\. 2 held back\./)
  expect(button).toBe('Activate 2 campaigns')
})

test('each campaign that cannot be activated is named with its own problem', () => {
  const none = { messages: 0, channels: [], will_receive: 0, held_back: 0, cents: 0 }
  const stuck = (name: string, problem: string) => of(name, 'AU', { ...none, problem })
  const all = [
    stuck('Winter', 'It has no template.'),
    stuck('Heart', 'It has ended.'),
    stuck('Flu', 'It has no template.'),
  ]
  expect(activationOf('AU', [...all, of('Ready', 'AU')], 4)).toMatchObject({
    words:
      '2 messages to 2 patients, $0.30. 1 held back. Sending starts after two minutes, or on the start date. Winter and Flu cannot be activated: It has no template. Heart cannot be activated: It has ended.',
    refused: '',
  })
  // Nobody is asked for the password to activate nothing.
  expect(activationOf('AU', all, 3).refused).toBe(
    'Winter and Flu cannot be activated: It has no template. Heart cannot be activated: It has ended.',
  )
})

test('nothing is paid if all are active already', () => {
  expect(activationOf('AU', [], 2)).toMatchObject({ expected: [], button: 'Activate 2 campaigns', refused: '' })
})
