/** The kinds of act: a change, a look at a company's data, a sign-in, a patient's own act, or the platform's own work. */
export const ACTION_KINDS = ['change', 'look', 'sign-in', 'patient', 'platform'] as const
export type ActionKind = (typeof ACTION_KINDS)[number]

/** What the wording of some acts includes: numbers, and what changed. */
export type ActionCounts = Readonly<Record<string, unknown>>

type Words = string | ((counts: ActionCounts) => string)

/** The noun for each group of calls. */
const NOUNS: Readonly<Record<string, string>> = {
  campaign: 'campaign',
  campaignAdmin: 'campaign',
  campaignRecommendation: 'recommended campaign',
  campaignRecommendationAdmin: 'recommended campaign',
  clinicalTrial: 'clinical trial',
  company: 'company',
  consentForm: 'consent form',
  dashboard: 'dashboard',
  fakePatient: 'test patient',
  location: 'pharmacy',
  locationAdmin: 'pharmacy',
  recruiterProvider: 'recruiter or provider',
  sequence: 'sequence',
  sequenceAdmin: 'sequence',
  sequenceEvent: 'sequence event',
  sequenceRecommendation: 'recommended sequence',
  target: 'target',
  template: 'template',
  templateAdmin: 'template',
  templateRecommendation: 'recommended template',
  trialConsentForm: 'consent form of a trial',
  user: 'user',
  userAdmin: 'user',
}

/** Which of both it was, if the act says what it changed. */
function switched({ changes }: ActionCounts): string {
  const [first] = Array.isArray(changes) ? (changes as { after?: { active?: unknown } }[]) : []
  if (typeof first?.after?.active !== 'boolean') return 'activated or deactivated'
  return first.after.active ? 'activated' : 'deactivated'
}

const VERBS: Readonly<Record<string, Words>> = {
  activate: switched,
  create: 'created',
  disable: 'disabled',
  edit: 'edited',
  editActiveStatus: switched,
  enable: 'enabled',
  remove: 'removed',
  restore: 'restored',
  resume: 'resumed',
  stop: 'stopped',
}

const count = (counts: ActionCounts, field: string, one: string, many = `${one}s`) => {
  const number = counts[field]
  if (typeof number !== 'number') return many
  return `${number.toLocaleString('en-AU')} ${number === 1 ? one : many}`
}

/** Acts whose wording is not the verb and noun of their call. */
const CHANGES: Readonly<Record<string, Words>> = {
  'audit.verify': 'had the audit verified',
  'campaign.resume': 'resumed sending a campaign',
  'campaignApproval.approve': 'approved a campaign',
  'campaignApproval.decline': 'declined to approve a campaign',
  'campaignApproval.request': 'asked for approval of a campaign',
  'campaignApproval.void': 'ended the approval of a campaign by a change',
  'signupAdmin.approve': 'made an account of a sign-up',
  'signupAdmin.reject': 'rejected a sign-up',
  'signupAdmin.tellSupported': 'told somebody that their dispensing software is supported now',
  'campaign.stop': 'stopped sending a campaign',
  'etl.override': 'forced an upload',
  'etl.remove': 'removed uploads or files that waited to be loaded',
  'etl.request': 'asked pharmacies for an upload',
  'etl.work': 'noted, assigned or snoozed a faulty upload',
  'fakePatient.add': 'added a test patient',
  'fakePatient.askCode': 'asked for a code to confirm a number of their own',
  'fakePatient.confirmCode': 'confirmed a number of their own',
  'fakePatient.test': 'sent the messages of a campaign to test patients',
  'inbound.forwardReply': 'forwarded a reply to the pharmacy',
  'inbound.readReplies': 'marked replies as read',
  'inbound.readReply': 'marked a reply as read or unread',
  's8.check': 'checked a register of Schedule 8 medicines',
  'erasure.erasePatient': (counts) => `erased a patient, ${count(counts, 'records', 'record')}`,
  'inbound.stopReply': 'stopped texts to the number of a reply',
  'locationKey.end': 'ended the upload key of a pharmacy',
  'locationKey.replace': 'replaced the upload key of a pharmacy',
  'locationKey.show': 'looked at the upload key of a pharmacy',
  'locationImport.run': 'moved a pharmacy from one company to another',
  'moduleAdmin.add': 'switched on a module of a pharmacy',
  'moduleAdmin.remove': 'switched off a module of a pharmacy',
  'referral.edit': 'switched a referral to a clinical trial',
  'reportAdmin.doubleDispensing': 'asked for a 60 Day Dispensing Report',
  'reportAdmin.messageHistory': 'asked for a message history report',
  'report.messageHistory': 'asked for a message history report',
  'runAdmin.stop': 'stopped sending a batch of messages',
  'sendingAdmin.saveCompany': 'changed the sender and sending rules of a company',
  'sendingAdmin.savePharmacy': 'changed the sender and sending rules of a pharmacy',
  'sending.saveRules': 'changed the sending rules',
  'reportMail.add': 'signed somebody up for a monthly report',
  'reportMail.remove': 'ended a monthly report of somebody',
  'reportMail.resume': 'allowed monthly reports to themselves again',
  'reportMail.saveDay': 'changed the day of the monthly reports',
  'reportMail.stop': 'stopped monthly reports to themselves',
  'savedView.create': 'saved a view of Financials',
  'savedView.edit': 'changed a saved view of Financials',
  'savedView.remove': 'removed a saved view of Financials',
  'savedView.setDefault': 'chose the view that Financials opens with',
  'target.set': 'set a target',
  'template.draft': 'had a message drafted',
  'template.test': 'sent a test message',
  'trialInvite.start': 'invited the eligible patients of a clinical trial',
  'trialEthics.record': 'recorded an ethics approval',
  'templateAdmin.activate': 'activated a template',
  'templateAdmin.deactivate': 'deactivated a template',
  'templateAdmin.createGlobal': 'created a global template',
  'campaignAdmin.restoreMany': 'restored campaigns',
  'campaignRecommendationAdmin.remove': 'withdrew a recommended campaign',
  'campaignRecommendationAdmin.restoreMany': 'restored recommended campaigns',
  'user.endSessions': 'signed a user out everywhere',
  'user.invite': 'invited a user',
  'user.resetPassword': 'set a password for a user',
  'userLink.link': 'linked a user to a pharmacy',
  'userLink.linkMany': 'linked users to pharmacies',
  'userLink.sendWelcome': 'sent welcome letters',
  'userLink.sync': 'changed the pharmacies a user is linked to',
  'userLink.unlink': 'unlinked a user from a pharmacy',
  'templateAdmin.restoreMany': 'restored templates',
  'templateRecommendation.remove': 'withdrew a recommended template',
  'templateRecommendation.restoreMany': 'restored recommended templates',
  'sequenceRecommendation.remove': 'withdrew a recommended sequence',
}

const LOOKS: Readonly<Record<string, Words>> = {
  'attribution.statsCsv': 'exported the message stats',
  'audit.csv': 'exported the audit',
  'campaign.cohortCsv': 'exported how many patients a campaign would reach',
  'campaign.runCsv': 'exported who a campaign was sent to',
  'campaignAdmin.forecast': 'counted how many patients a campaign would reach',
  'company.locations': 'looked at the pharmacies of a company',
  'companySixtyDay.categoriesExport': 'exported a table of 60 day dispensing',
  'guildSixtyDay.categoriesExport': 'exported a table of 60 day dispensing',
  'consentAdmin.asOf': 'looked at what a patient had agreed to',
  'etl.faults': 'looked at the faults of an upload',
  'etl.faultsCsv': 'exported the faults of an upload',
  'etl.faultyCsv': 'exported the list of faulty uploads',
  'fakePatient.campaigns': 'looked at campaigns to test',
  'fakePatient.list': 'looked at test patients',
  'sendingAdmin.ofCompany': 'looked at the sending rules of a company',
  'sendingAdmin.ofPharmacy': 'looked at the sending rules of a pharmacy',
  'financials.adherenceDetail': (counts) => `looked at the adherence of ${count(counts, 'rows', 'patient')}`,
  'financialReport.pdf': 'took a report of Financials',
  'financials.tableCsv': 'exported the table of Financials',
  'financials.tableXlsx': 'exported the table of Financials to Excel',
  'inbound.replies': (counts) => `looked at ${count(counts, 'rows', 'reply', 'replies')}`,
  'referral.export': (counts) => `exported ${count(counts, 'rows', 'referral')}`,
  'referral.history': 'looked at the history of a referral',
  'referral.list': (counts) => `looked at ${count(counts, 'rows', 'referral')}`,
  'runAdmin.read': (counts) => `looked at ${count(counts, 'messages', 'message')}`,
  's8.contradiction': 'compared two versions of an entry of a drug register',
  's8.drugRegister': (counts) => `looked at ${count(counts, 'rows', 'entry', 'entries')} of a drug register`,
  's8.drugRegisterCsv': (counts) => `exported ${count(counts, 'rows', 'entry', 'entries')} of a drug register`,
  's8.page': (counts) => `opened a page of ${count(counts, 'rows', 'entry', 'entries')} of a drug register`,
  's8.productsCsv': 'exported a stock register',
  'sequenceAdmin.stats': 'looked at the statistics of a sequence',
  'trialInvite.forecast': 'counted how many patients a clinical trial would invite',
  'template.preview': 'previewed a message with a patient’s name',
}

const SIGN_INS: Readonly<Record<string, Words>> = {
  'secondFactor.confirmApp': 'switched on an authenticator app',
  'secondFactor.confirmPasskey': 'added a passkey',
  'secondFactor.forgetBrowsers': 'forgot all remembered browsers',
  'secondFactor.newRecoveryCodes': 'made new recovery codes',
  'secondFactor.removeApp': 'switched off an authenticator app',
  'secondFactor.removePasskey': 'removed a passkey',
  'secondFactor.reset': 'reset a second factor',
  'secondFactor.startApp': 'began to set up an authenticator app',
  'secondFactor.startPasskey': 'began to add a passkey',
  'secondFactor.challenge': 'began to sign in with a passkey',
  'secondFactor.verify': 'showed a second factor',
  'session.change-password': 'changed their password',
  'session.confirmEula': 'agreed to the End User License Agreement',
  'sixtyDay.replaceList': 'replaced a list of 60 Day Dispensing',
  'session.changePassword': 'changed their password',
  'session.change-password-failed': 'entered a wrong password',
  'session.confirm': 'entered their password again',
  'session.confirm-failed': 'entered a wrong password',
  'session.login': 'signed in',
  'session.login-failed': 'failed to sign in',
  'session.logout': 'signed out',
  'session.refresh': 'stayed signed in',
  'session.request-reset': 'asked for a new password',
  'session.requestReset': 'asked for a new password',
  'session.second-factor': 'showed a second factor',
  'session.second-factor-failed': 'showed a second factor that was wrong',
  'session.reset': 'set a new password by emailed link',
}

const PATIENTS: Readonly<Record<string, Words>> = {
  'consent.form': 'opened a consent form',
  'consent.submit': 'sent a consent form',
  'consent.unsubscribe': 'unsubscribed',
  'trialConsent.form': 'opened the page of a clinical trial',
  'trialConsent.submit': 'signed up for a clinical trial',
  'trialConsent.withdraw': 'withdrew from a clinical trial',
}

const PLATFORM: Readonly<Record<string, Words>> = {
  'consent.download': 'downloaded a report by emailed link',
  'portal.reportError': 'reported an error on a screen',
  'campaignApproval.hold': 'held back a campaign that was not as approved',
  'report.downloaded': 'downloaded a report by emailed link',
  'restore.setAside': (counts) => `set aside ${count(counts, 'messages', 'message')} after a restore`,
  'restore.endRun': 'ended a campaign that may have been sent before a restore',
  'report.failed': 'could not make a message history report',
  'report.mailed': (counts) => `emailed a report of ${count(counts, 'messages', 'message')}`,
  'reportMail.sent': 'was emailed a monthly report',
  retention: 'removed what is no longer kept',
  'signup.confirm': 'confirmed the email address of a sign-up',
  'signup.submit': 'signed up for the calculator',
  'template.testFailed': 'could not send a test message',
  'upload.send': 'sent an upload',
}

const TABLES: Readonly<Record<ActionKind, Readonly<Record<string, Words>>>> = {
  change: CHANGES,
  look: LOOKS,
  'sign-in': SIGN_INS,
  patient: PATIENTS,
  platform: PLATFORM,
}

const written = (words: Words, counts: ActionCounts) => (typeof words === 'string' ? words : words(counts))

/** All acts of a kind; `change` has no list because it covers every act not listed elsewhere. */
export const actionsOf = (kind: Exclude<ActionKind, 'change'>): readonly string[] => Object.keys(TABLES[kind])

/** The kind of an act. Anything not listed in another table is a change. */
export const actionKind = (action: string): ActionKind =>
  ACTION_KINDS.find((kind) => action in TABLES[kind]) ?? 'change'

/**
 * An act in words that follow a name, such as 'edited a company' or 'looked at 3 messages'. Null for an action without wording.
 * @param action the name of a call or event, such as 'company.edit'
 */
export function actionWords(action: string, counts: ActionCounts = {}): string | null {
  const words = TABLES[actionKind(action)][action]
  if (words !== undefined) return written(words, counts)
  const [group = '', act = ''] = action.split('.')
  const [noun, verb] = [NOUNS[group], VERBS[act]]
  return noun && verb
    ? `${written(verb, counts)} ${/^[aeiou]/.test(noun) && !/^us/.test(noun) ? 'an' : 'a'} ${noun}`
    : null
}

/** As `actionWords`, for a screen: an act without wording is named by its call. */
export const shownAction = (action: string, counts: ActionCounts = {}): string =>
  actionWords(action, counts) ?? `did "${action}"`
