import { expect, it } from 'vitest'
import { deleteWords, switchLabel, switchWords, typeWords } from './template-words.ts'

it('names the types of a template', () => {
  expect(typeWords({ sms_template: true, email_template: false })).toBe('SMS')
  expect(typeWords({ sms_template: true, email_template: true })).toBe('SMS and Email')
})

const used = (campaign_names: string[], sequence_names: string[] = []) => ({ campaign_names, sequence_names })

it('names the campaigns a switch or a deletion touches', () => {
  expect(switchWords(false, used(['Flu', 'Asthma']))).toBe(
    '2 active campaigns use it: Flu and Asthma. It is no longer sent.',
  )
  expect(switchWords(true, used(['Flu']))).toBe('1 active campaign uses it: Flu. It is sent again from now on.')
  expect(deleteWords(used(['Flu']))).toMatch(/^It is taken out of 1 campaign: Flu\. What was sent/)
  expect(deleteWords(used([]))).toMatch(/^No campaign or sequence uses it\. /)
})

it('names the sequences too, and says what becomes of their follow-ups', () => {
  expect(switchWords(false, used(['Flu'], ['Repeat reminder']))).toMatch(
    /^1 active campaign uses it: Flu\. 1 active sequence uses it: Repeat reminder\. It is no longer sent\. Follow-ups that use it are skipped/,
  )
  expect(switchWords(true, used([], ['A', 'B']))).toBe(
    '2 active sequences use it: A and B. It is sent again from now on.',
  )
  expect(deleteWords(used([], ['Repeat reminder']))).toMatch(
    /^1 sequence uses it: Repeat reminder\. Follow-ups .* What was sent with it stays/,
  )
})

it('cycles the words of the switch', () => {
  expect([
    switchLabel(true, false),
    switchLabel(true, true),
    switchLabel(false, false),
    switchLabel(false, true),
  ]).toEqual(['Deactivate…', 'Inactivating...', 'Activate…', 'Activating...'])
})
