import { expect, it } from 'vitest'
import { deleteWords, missingWords, savingWords, switchLabel, switchWords, typeWords } from './template-words.ts'

it('names the types of a template', () => {
  expect(typeWords({ sms_template: true, email_template: false })).toBe('SMS')
  expect(typeWords({ sms_template: true, email_template: true })).toBe('SMS and Email')
})

it('names the fields without a value as they are written in the message', () => {
  expect(missingWords([])).toBe('')
  expect(missingWords(['pharmacy_number'])).toBe('{Pharmacy Number} is not known here and is left blank.')
  expect(missingWords(['first_name', 'trial_name'])).toBe(
    '{First Name} and {Trial Name} are not known here and are left blank.',
  )
})

const used = (campaign_names: string[], sequence_names: string[] = []) => ({ campaign_names, sequence_names })

it('names the campaigns affected by a switch or a deletion', () => {
  expect(switchWords(false, used(['Flu', 'Asthma']))).toBe(
    '2 active campaigns use it: Flu and Asthma. It will no longer be sent.',
  )
  expect(switchWords(true, used(['Flu']))).toBe('1 active campaign uses it: Flu. It will be sent again.')
  expect(switchWords(false, used([]))).toMatch(/can’t send it until you activate it again\.$/)
  expect(switchWords(true, used([]))).toMatch(/Nothing is sent now\.$/)
  expect(deleteWords(used(['Flu']))).toMatch(/^It will be removed from 1 campaign: Flu\. Messages already sent/)
  expect(deleteWords(used([]))).toMatch(/^No campaign or sequence uses it\. /)
})

it('names the sequences too, and what happens to their follow-ups', () => {
  expect(switchWords(false, used(['Flu'], ['Repeat reminder']))).toMatch(
    /^1 active campaign uses it: Flu\. 1 active sequence uses it: Repeat reminder\. It will no longer be sent\. Follow-ups that use it will be skipped/,
  )
  expect(switchWords(true, used([], ['A', 'B']))).toBe('2 active sequences use it: A and B. It will be sent again.')
  expect(deleteWords(used([], ['Repeat reminder']))).toMatch(
    /^1 sequence uses it: Repeat reminder\. Follow-ups .* Messages already sent stay/,
  )
})

it('names the active campaigns that will send a changed text', () => {
  const campaign = (campaign_name: string, active: boolean) => ({ campaign_name, active })
  expect(savingWords({ campaigns: [campaign('Flu', true), campaign('Asthma', false)] })).toBe(
    '1 active campaign will send the new text: Flu. Messages already queued won’t change.',
  )
  expect(savingWords({ campaigns: [] })).toBe('Messages already queued won’t change.')
  // If a second person approves campaigns, changing a text ends an approval.
  expect(savingWords({ campaigns: [] }, true)).toBe('Messages already queued won’t change.')
  expect(savingWords({ campaigns: [campaign('Asthma', false)] }, true)).toBe(
    'Messages already queued won’t change. If an approval of Asthma is open, it ends: the campaign needs approval again.',
  )
  expect(savingWords({ campaigns: [campaign('Flu', false), campaign('Asthma', false)] }, true)).toMatch(
    /If approvals of Flu and Asthma are open, they end: the campaigns need approval again\.$/,
  )
})

it('changes the button’s words while it works', () => {
  expect([
    switchLabel(true, false),
    switchLabel(true, true),
    switchLabel(false, false),
    switchLabel(false, true),
  ]).toEqual(['Deactivate…', 'Inactivating...', 'Activate…', 'Activating...'])
})
