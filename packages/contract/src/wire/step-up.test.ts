import { expect, it } from 'vitest'
import { everyCall } from '../every-call.ts'
import { subjectOf } from '../index.ts'

const each = (group: string, names: string) => names.split(' ').map((name) => `${group}.${name}`)

/** Writes that need no password entered again. Everything else that saves, activates, deactivates or deletes needs one. */
const WITHOUT_PASSWORD = [
  // It proves itself, or is about the caller alone.
  ...each('session', 'login confirm logout refresh requestReset reset confirmEula changePassword'),
  ...each('secondFactor', 'challenge verify startApp confirmApp startPasskey confirmPasskey forgetBrowsers'),
  ...each('savedView', 'create edit remove setDefault'),
  ...each('reportMail', 'add remove saveDay stop resume'),
  ...each('fakePatient', 'askCode confirmCode'),
  ...['template.test', 'template.draft', 'portal.reportError'],
  // The link or key that was mailed or given is the proof.
  ...each('consent', 'submit unsubscribe download'),
  ...each('trialConsent', 'submit withdraw'),
  ...each('signup', 'submit confirm'),
  'upload.send',
  // It stops something, and must be quick.
  ...['campaign.stop', 'runAdmin.stop', 'inbound.stopReply', 'campaignApproval.decline'],
  // It undoes a deletion; what comes back is inactive.
  ...each('templateAdmin', 'restore restoreMany'),
  ...each('templateRecommendation', 'restore restoreMany'),
  ...each('campaignAdmin', 'restore restoreMany'),
  ...each('campaignRecommendationAdmin', 'restore restoreMany'),
  ...['company.restore', 'locationAdmin.restore', 'dashboard.restore', 'sequenceRecommendation.restore'],
  'sequenceAdmin.restore',
  // It looks at something, checks it, or asks for it.
  ...['runAdmin.read', 'audit.verify', 's8.check', 'etl.request', 'etl.work', 'campaignApproval.request'],
  ...['report.messageHistory', 'reportAdmin.messageHistory', 'reportAdmin.doubleDispensing'],
  ...each('inbound', 'readReply readReplies forwardReply'),
  // Daily work on single rows: targets, referrals, and the names of events.
  ...['target.set', 'target.remove', 'referral.edit', 'sequenceEvent.create', 'sequenceEvent.edit'],
]

/** Of those that need a password, the ones without an object: they make something new, or concern the caller, the whole company, or test patients. */
const WITHOUT_OBJECT = [
  ...each('secondFactor', 'removeApp newRecoveryCodes'),
  ...each('templateAdmin', 'create createGlobal'),
  ...['template', 'campaign', 'company', 'locationAdmin', 'templateRecommendation', 'campaignAdmin', 'user'].map(
    (group) => `${group}.create`,
  ),
  ...['campaignRecommendationAdmin', 'recruiterProvider', 'dashboard', 'sequenceRecommendation', 'clinicalTrial'].map(
    (group) => `${group}.create`,
  ),
  ...['sending.saveRules', 'fakePatient.add', 'fakePatient.remove', 'fakePatient.test'],
]

const writes = everyCall.filter(({ call }) => call.kind === 'write')

it('a write needs the password entered again, except the listed ones with a reason (T12)', () => {
  const without = writes.filter(({ call }) => !call.stepUp).map(({ name }) => name)
  expect(without.toSorted()).toEqual(WITHOUT_PASSWORD.toSorted())
})

it('an entered password is for what the call is about, unless there is nothing yet that it could be about (T12)', () => {
  const unbound = writes.filter(({ call }) => call.stepUp && subjectOf(call, call.input.parse(call.example)) === null)
  expect(unbound.map(({ name }) => name).toSorted()).toEqual(WITHOUT_OBJECT.toSorted())
})
