import { expect, it } from 'vitest'
import { deleteWords, switchLabel, switchWords, typeWords } from './template-words.ts'

it('names the types of a template', () => {
  expect(typeWords({ sms_template: true, email_template: false })).toBe('SMS')
  expect(typeWords({ sms_template: true, email_template: true })).toBe('SMS and Email')
})

it('names the campaigns a switch or a deletion touches', () => {
  expect(switchWords(false, ['Flu', 'Asthma'])).toBe('2 active campaigns use it: Flu and Asthma. It is no longer sent.')
  expect(switchWords(true, ['Flu'])).toBe('1 active campaign uses it: Flu. It is sent again from now on.')
  expect(deleteWords(['Flu'])).toMatch(/^It is taken out of 1 campaign: Flu\. /)
  expect(deleteWords([])).toMatch(/^No campaign uses it\. /)
})

it('cycles the words of the switch', () => {
  expect([
    switchLabel(true, false),
    switchLabel(true, true),
    switchLabel(false, false),
    switchLabel(false, true),
  ]).toEqual(['Deactivate…', 'Inactivating...', 'Activate…', 'Activating...'])
})
