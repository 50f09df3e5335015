import { type contract, Refusal } from '@pillar/contract'
import { formatDay } from '@pillar/domain/time/day'
import { dayIn } from '@pillar/domain/time/zone'
import {
  contactNote,
  FILL_IN_ALL,
  isRecall,
  postcodeText,
  type SignUp,
  type SignUpField,
  signUpOf,
} from '@pillar/domain/trial/agreement'
import { afterParticipantEvent } from '@pillar/domain/trial/participant'
import { recordAudit } from '../../../api/audit.ts'
import type { HandlersOf, Services } from '../../../api/context.ts'
import type { Tx } from '../../../db/database.ts'
import { moveParticipant, withdrawParticipant } from '../../trial/participant.queries.ts'
import { insertReferral } from '../../trial/referral.queries.ts'
import { trialState } from '../../trial/trial-state.queries.ts'
import { isStillTheirs } from '../link/still-theirs.queries.ts'
import {
  findTrialLink,
  keepAgreement,
  type OpenLink,
  patientOfLink,
  signedUpBy,
  type TrialPatient,
  useTrialLink,
  withdrawLink,
} from '../link/trial-link.queries.ts'
import { bookUse, countDeadLink, countLinkUse } from '../link-throttle.ts'
import { requirePerson } from '../person-check.ts'
import { atPharmacy, publicLocation } from '../public-location.ts'
import { cancelSignUpConfirmation, queueSignUpConfirmation } from './sign-up-confirmation.queries.ts'
import { knownDetails, readTrialPage, standingOf, type TrialPage } from './trial-page.queries.ts'

type Handlers = HandlersOf<typeof contract.trialConsent>

/** The answer for an unknown, used or expired link alike, and for one of a trial that cannot take anybody now. */
const DEAD = 'Consent form is invalid / already submitted'
const dead = () => new Refusal('not_found', DEAD)

/** A working invitation link, with its try given back. @throws Refusal not_found for every other link */
async function openLink(services: Services, token: string, address: string) {
  const good = await countLinkUse(services, address)
  const now = services.now()
  const link = await findTrialLink(services.pools.system, services.linkSecret, 'consent', token, now)
  if (!link) throw dead()
  const state = await trialState(services.pools.system, link.trialId, formatDay(dayIn(link.timeZone, now)))
  if (!(state?.active && state.ethicsApproved)) throw dead()
  await good()
  await bookUse(services, token, address)
  return link
}

/** A withdrawal link; never refused because of dead links of others on its network. @throws Refusal not_found for every other link */
async function openWayOut(services: Services, token: string, address: string) {
  const link = await findTrialLink(services.pools.system, services.linkSecret, 'withdraw', token, services.now())
  if (!link) {
    await countDeadLink(services, address)
    throw dead()
  }
  await bookUse(services, token, address)
  return link
}

/**
 * Everything a link's page shows, read in its pharmacy's scope. Refuses the link as dead if the patient or the form is gone, or the
 * invitation went to a number or address that is no longer theirs.
 */
async function readPage(
  tx: Tx,
  services: Services,
  link: OpenLink,
  invited: { patient_id: number; message_id: number | null } | undefined,
) {
  const { keys } = services
  const { locationId } = link
  if (!invited || !(await isStillTheirs(tx, keys, { locationId, messageId: invited.message_id }))) throw dead()
  const page = await readTrialPage(tx, link.trialId)
  const known = await knownDetails(tx, keys, locationId, invited.patient_id)
  if (!page || !known) throw dead()
  const location = await publicLocation(tx, services, link.locationId, DEAD)
  return { page, known, location, note: contactNote({ ...page, pharmacy: location.name }) }
}

const form: Handlers['form'] = async ({ id }, { services, address }) => {
  const link = await openLink(services, id, address)
  return atPharmacy(services, link, async (tx) => {
    const invited = await patientOfLink(tx, link)
    const standing = invited && (await standingOf(tx, link, invited.patient_id))
    // Nobody should fill in a form that would be refused.
    if (!standing || afterParticipantEvent(standing.state, 'referred') === null) throw dead()
    const { page, known, location, note } = await readPage(tx, services, link, invited)
    await noteAct(tx, link, 'trialConsent.form')
    const { version, form_title, intro, purpose_heading, purpose, criteria_heading, criteria } = page
    return {
      trial: page.trial,
      consent_id: id,
      location,
      consent_form: { version, form_title, intro, purpose_heading, purpose, criteria_heading, criteria },
      recruiter: page.recruiter,
      provider: page.provider,
      recruiter_website: page.website,
      recruiter_privacy_policy: page.privacy_policy_url,
      recruiter_logo: null,
      recall: isRecall(page.trial),
      note,
      ...lockedOf(known),
      product_name: services.env.PRODUCT_NAME,
    }
  })
}

/** The known fields, and null for those the patient fills in. */
function lockedOf(known: Readonly<Record<SignUpField, string | null>>) {
  const { first_name, last_name, phone_number, email, postcode } = known
  const some = (text: string | null) => text?.trim() || null
  return {
    first_name: some(first_name),
    last_name: some(last_name),
    phone_number: some(phone_number),
    email: some(email),
    postcode: some(postcode),
  }
}

const submit: Handlers['submit'] = async (input, context) => {
  try {
    return await signUp(input, context)
  } catch (thrown) {
    const answer = thrown instanceof Refusal && thrown.code === 'not_found' && (await answerAgain(input, context))
    if (answer) return answer
    throw thrown
  }
}

type SignUpArguments = Parameters<Handlers['submit']>

/** The answer to a submission of the same page that may have been lost on its way; null if there was none. */
async function answerAgain({ id: token, attempt }: SignUpArguments[0], { services }: SignUpArguments[1]) {
  if (!attempt) return null
  const link = await findTrialLink(services.pools.system, services.linkSecret, 'used', token, services.now())
  if (!link) return null
  return atPharmacy(services, link, async (tx) => {
    const patientId = await signedUpBy(tx, services.linkSecret, link, { token, attempt })
    const standing = patientId === undefined ? undefined : await standingOf(tx, link, patientId)
    const page = await readTrialPage(tx, link.trialId)
    if (patientId === undefined || !page || !standing || standing.withdrawn) return null
    return signedUp(tx, services, page.trial, { locationId: link.locationId, trialId: link.trialId, patientId }, true)
  })
}

/** What the page shows after signing up. */
const signedUp = async (tx: Tx, services: Services, trial: string, who: TrialPatient, earlier: boolean) => ({
  submitted: true as const,
  earlier,
  trial,
  redirect_url: isRecall(trial) ? (services.env.RECALL_SURVEY_URL ?? null) : null,
  ...(await withdrawLink(tx, services, who)),
})

async function signUp(...[input, { services, address }]: SignUpArguments) {
  const link = await openLink(services, input.id, address)
  await requirePerson(services, input.captcha)
  const now = services.now()
  return atPharmacy(services, link, async (tx) => {
    // First: of several concurrent submissions all but one stop here, before anything is written.
    const used = await useTrialLink(tx, link, now)
    if (!used) throw dead()
    const { page, known, location, note } = await readPage(tx, services, link, used)
    refuseOtherText(page, input.form_version)
    const { country } = location
    const details = checkedDetails(known, { ...input, postcode: postcodeText(input.postcode, country) }, country)
    const who = { locationId: link.locationId, trialId: link.trialId, patientId: used.patient_id }
    const by = { loginId: null, now, consentFormId: page.form_id }
    if ((await moveParticipant(tx, who, 'referred', by)) === null) throw dead()
    await insertReferral(tx, who, {
      recruiterId: page.recruiter_id,
      trialName: page.trial,
      messageId: used.message_id,
      timeZone: link.timeZone,
      details,
      now,
    })
    const agreement = { agreed_text: note, token: input.id, attempt: input.attempt ?? null }
    await keepAgreement(tx, services.linkSecret, link, agreement)
    const { trial, recruiter } = page
    const named = { companyId: link.companyId, trial, recruiter, pharmacy: location.name }
    await queueSignUpConfirmation(tx, services, { ...who, ...named }, now)
    await noteAct(tx, link, 'trialConsent.submit')
    return signedUp(tx, services, page.trial, who, false)
  })
}

/** The details as sent to the recruiter. @throws Refusal invalid, by field */
function checkedDetails(...given: Parameters<typeof signUpOf>): SignUp {
  const { details, missing, wrong } = signUpOf(...given)
  const problems = { ...Object.fromEntries(missing.map((field) => [field, FILL_IN_ALL])), ...wrong }
  const [first] = [...missing.map(() => FILL_IN_ALL), ...Object.values(wrong)]
  if (first === undefined) return details
  const errors = Object.fromEntries(Object.entries(problems).map(([field, words]) => [field, [words]]))
  throw new Refusal('invalid', first, { errors })
}

/** People agree only to the text they read. @throws Refusal conflict */
function refuseOtherText(page: Pick<TrialPage, 'version'>, read: number | null | undefined): void {
  if (read === null || read === undefined || read === page.version) return
  throw new Refusal(
    'conflict',
    'The text about this study has changed. Please open the link again and read it. Nothing was sent.',
  )
}

const withdrawal: Handlers['withdrawal'] = async ({ id }, { services, address }) => {
  const link = await openWayOut(services, id, address)
  return atPharmacy(services, link, async (tx) => {
    const patientId = (await patientOfLink(tx, link))?.patient_id
    const page = await readTrialPage(tx, link.trialId)
    const standing = patientId === undefined ? undefined : await standingOf(tx, link, patientId)
    if (!page || !standing) throw dead()
    return {
      trial: page.trial,
      recruiter: page.recruiter,
      recruiter_phone: page.recruiter_phone,
      enrolled: standing.state === 'enrolled',
      withdrawn: standing.withdrawn,
      location: await publicLocation(tx, services, link.locationId, DEAD),
      product_name: services.env.PRODUCT_NAME,
    }
  })
}

const withdraw: Handlers['withdraw'] = async ({ id, captcha }, { services, address }) => {
  const link = await openWayOut(services, id, address)
  // Nothing may stand between a person and the way out, so a page whose check fails submits without it.
  if (captcha) await requirePerson(services, captcha)
  const now = services.now()
  await atPharmacy(services, link, async (tx) => {
    const patientId = (await patientOfLink(tx, link))?.patient_id
    if (patientId === undefined) throw dead()
    const who = { locationId: link.locationId, trialId: link.trialId, patientId }
    if (!(await withdrawParticipant(tx, who, now))) return
    await cancelSignUpConfirmation(tx, who, now)
    await noteAct(tx, link, 'trialConsent.withdraw')
  })
  return { withdrawn: true }
}

const noteAct = (tx: Tx, link: OpenLink, action: string) =>
  recordAudit(tx, {
    caller: { companyId: link.companyId, loginId: null, sessionId: null },
    action,
    object: null,
    detail: { location: link.locationId, trial: link.trialId, link: link.id },
  })

export const trialConsentHandlers: Handlers = { form, submit, withdrawal, withdraw }
