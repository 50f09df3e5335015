import { expect, it } from 'vitest'
import { everyCall } from '../every-call.ts'

/** What opens each part of the contract, or a single call that differs from its part. The tests that ask every call take it from the call. */
const OPENED_BY: Readonly<Record<string, string>> = {
  // By nothing, or by what somebody was given: a link, a key, the cookie of a sign-in.
  public:
    'consent mail portal signup trialConsent board.data session.login session.requestReset session.checkReset session.reset',
  'location-key': 'upload',
  'session-cookie': 'session.logout session.refresh',
  'signed-in': 'session secondFactor',
  data_analytics:
    'attribution campaign campaignApproval financialReport financials inbound location report reportMail savedView sending target template audit.activity',
  ecdr: 's8',
  sixty_day_signup: 'companySixtyDay',
  guild_login: 'guildSixtyDay',
  clinical_trials_login: 'referral',
  'supplier_analytics or ad_analytics': 'board',
  // Support.
  sr_login:
    'audit campaignAdmin campaignRecommendationAdmin clinicalTrial company consentAdmin dashboard erasure etl fakePatient find locationAdmin locationImport locationKey moduleAdmin recruiterProvider reportAdmin runAdmin secondFactor.reset sendingAdmin sequenceAdmin sequenceEvent sequenceRecommendation signupAdmin templateAdmin templateRecommendation trialConsentForm trialEthics trialInvite user userLink',
}

const opener = new Map(Object.entries(OPENED_BY).flatMap(([by, parts]) => parts.split(' ').map((part) => [part, by])))
const named = (which: (call: (typeof everyCall)[number]['call']) => unknown) =>
  everyCall.filter(({ call }) => which(call)).map(({ name }) => name)

it('each call is opened by the flag of its part of the portal, and by no other (T1)', () => {
  const wrong = everyCall.flatMap(({ name, call }) => {
    const expected = opener.get(name) ?? opener.get(name.split('.')[0]!)
    const needs = [call.needs].flat().join(' or ')
    return needs === expected ? [] : [`${name} needs ${needs}, not ${expected}`]
  })
  expect(wrong).toEqual([])
})

it('before a new password or the second factor only what leads to them is open', () => {
  expect(named((call) => call.beforeNewPassword)).toEqual(['session.changePassword'])
  expect(named((call) => call.beforeSecondFactor === 'check').toSorted()).toEqual([
    ...['secondFactor.challenge', 'secondFactor.status', 'secondFactor.verify'],
  ])
  expect(named((call) => call.beforeSecondFactor === 'setup').toSorted()).toEqual([
    ...['secondFactor.confirmApp', 'secondFactor.confirmPasskey', 'secondFactor.startApp', 'secondFactor.startPasskey'],
    'session.changePassword',
  ])
})

it('60 day dispensing is shown only after its agreement', () => {
  expect(named((call) => call.afterAgreement).map((name) => name.split('.')[0])).toEqual(
    Array(4).fill('companySixtyDay'),
  )
})
