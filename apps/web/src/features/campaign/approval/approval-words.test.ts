import type { CampaignApproval } from '@pillar/contract/campaign/campaign-approval'
import { expect, it } from 'vitest'
import { approvalWords, endsWords, keptBackWords, mayAsk, notYetWords } from './approval-words.ts'

const APPROVAL: CampaignApproval = {
  ...{ required: true, state: 'waiting', changes: [], asked_by: 'Ann Lee', asked_at: '2026-11-23T02:00:00.000Z' },
  ...{
    decided_by: null,
    decided_at: null,
    reason: null,
    max_people: 1200,
    max_cents: 14_800,
    content: null,
    hash: 'a'.repeat(64),
  },
  ...{ approvers: ['Bo Ng'], approver_problem: 'You wrote this campaign, so somebody else has to approve it.' },
}
const decided = { decided_by: 'Bo Ng', decided_at: '2026-11-23T03:00:00.000Z' }
const words = (more: Partial<CampaignApproval>) => approvalWords({ ...APPROVAL, ...more }, 'AU')

it('gives the state of an approval', () => {
  expect(words({ state: 'none' })).toBe('It is sent only once a second person has approved it. Bo Ng can approve it.')
  expect(words({})).toBe(
    'Waiting for approval by a second person. Ann Lee asked on 23 Nov 2026, for up to 1,200 people and $148.00. Bo Ng can approve it.',
  )
  expect(words({ approver_problem: '' })).toMatch(/You can approve it\.$/)
  expect(words({ state: 'approved', ...decided })).toBe(
    'Approved by Bo Ng on 23 Nov 2026 for up to 1,200 people and $148.00. Any change ends the approval.',
  )
  expect(words({ state: 'changed', ...decided, changes: ['the text of “A”', 'the dates'] })).toBe(
    'Changed since it was approved: the text of “A” and the dates. It needs approval again.',
  )
  expect(words({ state: 'changed' })).toBe('Changed since approval was asked for. It needs approval again.')
  expect(words({ state: 'declined', ...decided, reason: 'Wrong medicine.' })).toBe(
    'Declined by Bo Ng on 23 Nov 2026: Wrong medicine.',
  )
  expect(words({ state: 'held', reason: 'Too many.' })).toBe('Too many. Ask for approval again.')
  expect(words({ state: 'used', ...decided })).toContain('Sending it again needs another approval.')
})

it('warns before saving that a change ends an approval or a request for one', () => {
  expect(endsWords({ ...APPROVAL, state: 'approved', ...decided })).toBe(
    'Any change ends the approval by Bo Ng. It needs approval again before it is sent.',
  )
  expect(endsWords(APPROVAL)).toBe('Any change ends the request for approval. Ask again after saving.')
  expect(endsWords({ ...APPROVAL, state: 'none' })).toBe('')
  expect(endsWords({ ...APPROVAL, required: false })).toBe('')
  expect(endsWords(undefined)).toBe('')
})

it('keeps a campaign from being activated until it is approved, if the company requires it', () => {
  expect(notYetWords(undefined)).toBe('')
  expect(notYetWords({ ...APPROVAL, required: false })).toBe('')
  expect(notYetWords({ ...APPROVAL, state: 'approved' })).toBe('')
  expect(notYetWords(APPROVAL)).toBe('Waiting for approval by a second person.')
  expect(notYetWords({ ...APPROVAL, state: 'changed' })).toBe('Needs approval by a second person.')
  expect((['none', 'waiting', 'approved', 'changed'] as const).map((state) => mayAsk({ ...APPROVAL, state }))).toEqual([
    ...[true, false, false, true],
  ])
})

it('says who is held out, or that nobody may be', () => {
  expect([10, 0, null].map(keptBackWords)).toEqual([
    '10% at random',
    '',
    'Nobody, whatever share your company keeps back',
  ])
})
