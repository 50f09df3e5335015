import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderMessage } from './merge-field.ts'
import { countSms } from './sms-text.ts'
import { replyKind, STOP_WORDS, stopConfirmation } from './stop-words.ts'

test.each([
  ['STOP', 'stop'],
  [' stop. ', 'stop'],
  ['"Stop!" 🙏', 'stop'],
  ['ＳＴＯＰ', 'stop'],
  ['stop all', 'stop'],
  ['Opt-Out', 'stop'],
  ['opt out', 'stop'],
  ['OPTOUT', 'stop'],
  ['“Unsubscribe”', 'stop'],
  ['revoke', 'stop'],
  ['STOP STOP, stop!', 'stop'],
  ['Stop. Unsubscribe', 'stop'],
  ['&nbsp;STOP&nbsp;', 'stop'],
  ['start', 'start'],
  ['START!', 'start'],
  ['Please stop texting me', 'review'],
  ['I want to opt out please', 'review'],
  ['Stopp', 'review'],
  ['ST0P', 'review'],
  ['Sotp', 'review'],
  ['stop2end', 'review'],
  ['Unsub', 'review'],
  ['UNSUBCRIBE!', 'review'],
  ['Opt me out', 'review'],
  ['No more texts please', 'review'],
  ['I don’t want any more messages', 'review'],
  ['do not text me', 'review'],
  ['Remove me from your list', 'review'],
  ['Take my number off', 'review'],
  ['No text came this month', 'review'],
  ['unstoppable', 'other'],
  ['I have stopped taking it', 'other'],
  ['Got your text, no thanks', 'other'],
  ['Can you text me when it is ready?', 'other'],
  ['STOP 2', 'review'],
  ['Start 2', 'other'],
  ['Please cancel my script', 'other'],
  ['by the end of the week', 'other'],
  ['yes', 'other'],
  ['', 'other'],
  ['🙏', 'other'],
])('%s is %s', (reply, kind) => {
  expect(replyKind(reply)).toBe(kind)
})

test('the stop words are those of the law', () => {
  expect([...STOP_WORDS]).toEqual(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'])
})

test('property: case, spaces and punctuation make no difference', () => {
  const noise = fc.array(fc.constantFrom(' ', '.', '!', '\n', '\u00a0', '"', '-')).map((list) => list.join(''))
  fc.assert(
    fc.property(fc.constantFrom(...STOP_WORDS), noise, noise, fc.array(fc.boolean()), (word, before, after, upper) => {
      const cased = [...word].map((letter, index) => (upper[index] ? letter : letter.toLowerCase())).join('')
      expect(replyKind(before + cased + after)).toBe('stop')
      expect(replyKind(cased.split('').join(' '))).toBe('stop')
    }),
  )
})

test('the confirmation fits one text and is not a template', () => {
  const text = stopConfirmation('Saltbush Pharmacy Coffs Harbour Shopping Centre')
  expect(countSms(text)).toMatchObject({ encoding: 'gsm7', parts: 1 })
  expect(renderMessage(text, {}).text).toBe(text)
})
