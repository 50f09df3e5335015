import { expect, test } from 'vitest'
import { isRefusedName, reportedNumber, senderProblems, showsUnverified, takesReplies } from './sms-sender.ts'

test('a number can receive replies, a name cannot', () => {
  expect(['+61 400 000 001', '0400000001', '12345'].map(takesReplies)).toEqual([true, true, true])
  expect(['SALTBUSH', 'Canal Rd 2', '', `MG${'1'.repeat(32)}`].map(takesReplies)).toEqual([false, false, false, false])
})

test('a name shows as Unverified in Australia until it is registered', () => {
  expect(showsUnverified('AU', 'SALTBUSH', false)).toBe(true)
  expect(showsUnverified('AU', 'SALTBUSH', true)).toBe(false)
  expect(showsUnverified('AU', '+61 400 000 001', false)).toBe(false)
  expect([showsUnverified('GB', 'CANALRD', false), showsUnverified('US', 'CANALRD', false)]).toEqual([false, false])
})

test('a sender is a short name with a letter, or a number with its country code', () => {
  const wrong = (sms_sender: string, sms_sender_registered = false, sms_sender_registration = '') =>
    senderProblems({ sms_sender, sms_sender_registered, sms_sender_registration }, 'AU').map(({ field }) => field)
  for (const fine of ['', ' ', 'ABC', 'ELEVENCHARS', 'Canal Rd 2', '+61400000001', '+12025550', '+123456789012345'])
    expect([fine, wrong(fine)]).toEqual([fine, []])
  const names = ['AB', 'TWELVELETTER', 'Ünal', 'a\nb']
  const numbers = ['12345', '0400000001', '61400000001', '+0400', '+1202555', '+1234567890123456', '1 2 3']
  for (const bad of [...names, ...numbers]) expect([bad, wrong(bad)]).toEqual([bad, ['sms_sender']])
  expect(wrong('SALTBUSH', true)).toEqual(['sms_sender_registration'])
  expect(wrong('SALTBUSH', true, 'ACMA-1')).toEqual([])
  expect(wrong('+61400000001', true)).toEqual([])
})

test('in the United States a sender is a number or a short code, never a name', () => {
  const wrong = (country: 'AU' | 'GB' | 'US', sms_sender: string) =>
    senderProblems({ sms_sender, sms_sender_registered: false, sms_sender_registration: '' }, country).map(
      ({ words }) => words,
    )
  const name = 'enter a number, such as +12025550123: no phone network in the United States delivers texts from a name'
  for (const sender of ['CORNERDRUG', 'AB', 'TWELVELETTER']) expect(wrong('US', sender)).toEqual([name])
  for (const sender of ['', '+12025550123', '+18005550123', '12345', '123456'])
    expect([sender, wrong('US', sender)]).toEqual([sender, []])
  for (const sender of ['1234', '1234567', '2025550123'])
    expect(wrong('US', sender)).toEqual(['enter the number with its country code, such as +12025550123'])
  expect(wrong('GB', '12345')).toEqual(['enter the number with its country code, such as +447700900123'])
  expect(wrong('GB', 'HIGHSTREET')).toEqual([])
  const senders = ['CORNERDRUG', '+12025550123', '12345', `MG${'1'.repeat(32)}`]
  expect(senders.map((sender) => isRefusedName('US', sender))).toEqual([true, false, false, false])
  expect([isRefusedName('AU', 'SALTBUSH'), isRefusedName('GB', 'HIGHSTREET')]).toEqual([false, false])
})

test('the number of a reply is international, even if the gateway reports it as it is written at home', () => {
  const same = ['+61491570157', '+12025550123', '12345', '0291570157', 'SALTBUSH', '', '+1 202']
  for (const text of same) expect(reportedNumber(text)).toBe(text)
  expect(['61491570157', '0491570157', ' 61491570157'].map(reportedNumber)).toEqual(Array(3).fill('+61491570157'))
  expect(['447700900123', '07700900123'].map(reportedNumber)).toEqual(Array(2).fill('+447700900123'))
  expect(['12025550123', '2025550123'].map(reportedNumber)).toEqual(Array(2).fill('+12025550123'))
  // Area codes that look like the country codes of Australia and Great Britain.
  expect(['6145550123', '4405550123'].map(reportedNumber)).toEqual(['+16145550123', '+14405550123'])
  const written = ['0491 570 157', '+61 491 570 157', '61 491 570 157', '+61-491-570-157', '(04) 9157 0157']
  const dialled = ['0061491570157', '00 61 491 570 157', '0011 61 491 570 157', '011 61 491 570 157', '+0061491570157']
  const both = [
    '+61 (0)491 570 157',
    '+610491570157',
    '610491570157',
    '491570157',
    '\u202a+61 491 570 157\u202c',
    '0491\u00a0570\u00a0157',
  ]
  for (const text of [...written, ...dialled, ...both])
    expect([text, reportedNumber(text)]).toEqual([text, '+61491570157'])
  for (const text of ['07700 900123', '+44 (0)7700 900123', '0044 7700 900123', '+4407700900123'])
    expect([text, reportedNumber(text)]).toEqual([text, '+447700900123'])
  for (const text of ['(202) 555-0123', '+1 202-555-0123', '1.202.555.0123', '0012025550123'])
    expect([text, reportedNumber(text)]).toEqual([text, '+12025550123'])
  // A landline of Leeds, and senders that are no numbers.
  for (const text of ['0113 296 1234', 'Shop 24-7', '00', '1-800-STOP', '1 2 3', '61491570157.0'])
    expect(reportedNumber(text)).toBe(text)
})
