import { describe, expect, it } from 'vitest'
import {
  failedLinksSentence,
  INVITE_DAYS,
  newUserProblem,
  shutOutProblem,
  userProblem,
  userRemovalProblem,
  userState,
} from './user.ts'

const login = { username: 'jo.marsh', email: 'jo@saltbush.example', first_name: 'Jo', last_name: 'Marsh' }

describe('what a user is missing', () => {
  it('is one sentence in the order of the fields', () => {
    expect(newUserProblem({ ...login, company_id: '1' })).toBe('')
    expect(newUserProblem({ company_id: ' ', username: '', email: 'jo', first_name: ' ', last_name: '' })).toBe(
      'Please select a company, enter a username, enter a valid email address, enter a first name, and enter a last name.',
    )
    expect(newUserProblem({ ...login, company_id: '1', username: 'a@b.example' })).toBe(
      'Please enter a username without @, or the email address itself.',
    )
    expect(newUserProblem({ ...login, company_id: '1', username: 'JO@saltbush.example ' })).toBe('')
  })

  it('includes the date of birth and the recruiter of a trials login', () => {
    const today = '2026-11-22'
    const asked = (more: object) =>
      userProblem({ ...login, dob: '', clinical_trials_login: false, recruiter_id: '', ...more }, today)
    expect(asked({})).toBe('')
    expect(asked({ dob: '2026-11-21' })).toBe('')
    for (const dob of ['2026-11-22', '2999-01-01', '1899-12-31'])
      expect(asked({ dob })).toBe('Please enter a date of birth in the past.')
    expect(asked({ clinical_trials_login: true })).toBe('Please select a recruiter or provider.')
    expect(asked({ clinical_trials_login: true, recruiter_id: 'x' })).toBe('')
  })
})

describe('the state of a user', () => {
  const now = new Date('2026-11-22T10:00:00Z')
  const ago = (days: number) => new Date(now.getTime() - days * 86_400_000)
  const user = { removed_at: null, disabled_at: null, password_pending: false, invited_at: null }

  it('shows disabled or removed rather than waiting for a password', () => {
    expect(userState(user, now)).toBe('active')
    const waiting = { ...user, password_pending: true }
    expect(userState(waiting, now)).toBe('not invited')
    expect(userState({ ...waiting, invited_at: ago(INVITE_DAYS - 0.001) }, now)).toBe('invited')
    expect(userState({ ...waiting, invited_at: ago(INVITE_DAYS) }, now)).toBe('invitation expired')
    expect(userState({ ...waiting, disabled_at: ago(1) }, now)).toBe('disabled')
    expect(userState({ ...waiting, disabled_at: ago(1), removed_at: ago(1) }, now)).toBe('removed')
    expect(userState({ ...user, invited_at: ago(1) }, now)).toBe('active')
  })
})

describe('why a user cannot be disabled or removed', () => {
  it('they are the caller, or the last support login', () => {
    const ties = { self: false, lastSupport: false }
    expect(shutOutProblem('Jo Marsh', 'removed', ties)).toBe('')
    expect(shutOutProblem('Jo Marsh', 'disabled', { ...ties, self: true })).toContain('cannot disable yourself')
    expect(shutOutProblem('Jo Marsh', 'removed', { ...ties, lastSupport: true })).toBe(
      'Jo Marsh is the last support login and cannot be removed. Please add another one first.',
    )
  })

  it('they still own something, and only that is named', () => {
    const owns = { pharmacies: [], alone: null }
    expect(userRemovalProblem('Jo', owns)).toBe('')
    expect(userRemovalProblem('Jo', { ...owns, pharmacies: ['A', 'B', 'C', 'D', 'E'] })).toBe(
      'Jo owns A, B, C, and 2 more. Please choose another owner first.',
    )
    const alone = { company: 'Saltbush', pharmacies: 0, activeCampaigns: 0 }
    expect(userRemovalProblem('Jo', { ...owns, alone })).toBe('')
    expect(userRemovalProblem('Jo', { ...owns, alone: { ...alone, activeCampaigns: 2 } })).toBe(
      'Jo is the only user of Saltbush, which still has 2 active campaigns. Please add another user first.',
    )
    expect(userRemovalProblem('Jo', { ...owns, alone: { ...alone, pharmacies: 1 } })).toBe(
      'Jo is the only user of Saltbush, which still has 1 pharmacy. Please add another user first.',
    )
  })
})

describe('links that failed', () => {
  const failed = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ user: 'Jo', location: `L${at}`, reason: 'Gone.' }))

  it('are counted and named, and the others reported as kept', () => {
    expect(failedLinksSentence(5, failed(2))).toBe(
      'Could not link 2 of 5 locations. The other 3 are linked.\nJo, L0: Gone.\nJo, L1: Gone.',
    )
    expect(failedLinksSentence(1, failed(1))).toBe('Could not link 1 of 1 location.\nJo, L0: Gone.')
    const many = failedLinksSentence(13, failed(12)).split('\n')
    expect(many[0]).toBe('Could not link 12 of 13 locations. The other 1 is linked.')
    expect([many.length, many.at(-1)]).toEqual([12, 'And 2 more.'])
  })
})
