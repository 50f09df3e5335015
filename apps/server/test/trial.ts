import { contract } from '@pillar/contract'
import { trialLinks } from '../src/features/consent/link/trial-link.queries.ts'
import { messageOf, solvedCaptcha } from './consent.ts'
import { type MessagingWorld, makePatients, makeRun, type TestPatient } from './messaging.ts'
import { asOwner, fresh, makeCompany, makeLogin, signIn } from './people.ts'
import type { TestServer } from './server.ts'
import { askAs, type Support } from './support.ts'

const { recruiterProvider, clinicalTrial, trialConsentForm, trialEthics, templateAdmin } = contract

export const CONSENT_TEXT = {
  form_title: 'Would you like to hear about a heart failure study?',
  intro: 'If you say yes, we will call you.',
  purpose_heading: 'What the study is about',
  purpose: 'It compares two ways of care at home.',
  criteria_heading: 'Who can take part',
  criteria: '- Aged 65 or over',
}

/** The smallest file with the first bytes of a PDF, in base64. */
export const PDF = Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64')

export const ETHICS = {
  number: '2026/0417',
  approving_body: 'Harbour Human Research Ethics Committee',
  approved_on: '2026-08-03',
  filename: 'approval.pdf',
  document: PDF,
}

/** A recruiter or provider of trials. @returns its id */
export async function makePartner(support: Support, type: 'recruiter' | 'provider', name = fresh(type)) {
  const at = `https://${type}.example`
  const { body } = await support.ask(recruiterProvider.create, {
    ...{ name, description: 'Adults', recruiter_or_provider: type, logo_url: `${at}/logo.svg`, phone: '02 5550 0190' },
    ...{ email: `hello@${type}.example`, website: at, privacy_policy_url: `${at}/privacy` },
  })
  return String(body.id)
}

/** What the form of a new trial sends, with its own recruiter, provider and template. */
export async function trialDraft(support: Support) {
  const template = await support.ask(templateAdmin.createGlobal, {
    name: fresh('Invitation'),
    body: 'Hi {First Name}, {Pharmacy Name} is helping with a study.',
    communication_type: 'sms',
  })
  return {
    name: fresh('Heart failure at home'),
    eligibility_criteria: 'Aged 65 or over',
    recruiter_id: await makePartner(support, 'recruiter'),
    provider_id: await makePartner(support, 'provider'),
    ...{ refer_rebate: 20, enroll_rebate: 100, sr_refer_rebate: 5.5, sr_enroll_rebate: 25 },
    rebate_type: 'refer' as 'refer' | 'enroll',
    template_ids: [String(template.body.id)],
  }
}

/** A trial that lacks only its activation. @returns its uuid */
export async function makeTrial(support: Support, more: object = {}): Promise<string> {
  const { body } = await support.ask(clinicalTrial.create, { ...(await trialDraft(support)), ...more })
  const trial_id = String(body.id)
  await support.ask(trialConsentForm.create, { ...CONSENT_TEXT, trial_id })
  await support.ask(trialEthics.record, { ...ETHICS, trial_id })
  return trial_id
}

/** A running trial that may invite every patient of these pharmacies. @returns its uuid and its id */
export async function makeRunningTrial(server: TestServer, support: Support, more: object = {}) {
  const trial_id = await makeTrial(support, more)
  await support.ask(clinicalTrial.editActiveStatus, { trial_id, active: true })
  const [row] = await asOwner<{ id: number; recruiter_id: number }>(
    server,
    'select id, recruiter_id from trial where uuid = $1',
    [trial_id],
  )
  return { trial_id, id: row!.id, recruiterId: row!.recruiter_id }
}

/** Makes a patient eligible and invited, as handing over an invitation does. @returns the secret part of the link */
export async function trialTokenFor(
  server: TestServer,
  world: MessagingWorld,
  trialId: number,
  patient: TestPatient,
): Promise<string> {
  const channel = patient.sms_to === null ? 'email' : 'sms'
  const run = await makeRun(server, world, { patients: [patient], kind: 'trial', context: 'trial', channel })
  await asOwner(server, 'update message_run set trial_id = $2 where id = $1', [run.id, trialId])
  const id = await messageOf(server, run, patient)
  await asOwner(
    server,
    `insert into trial_participant (location_id, trial_id, patient_id, uuid, state, eligible_at, contacted_at, invited_at, message_id)
     values ($1, $2, $3, gen_random_uuid(), 'contacted', now(), now(), now(), $4)`,
    [patient.locationId, trialId, patient.id, id],
  )
  const message = { locationId: patient.locationId, id, patientId: patient.id }
  const links = await world.inside((tx) =>
    trialLinks(tx, server.services, { id: trialId, timeZone: 'Australia/Sydney' }, [message]),
  )
  const url = links.get(id)!
  return url.slice(url.lastIndexOf('/') + 1)
}

/** What a patient fills in if their pharmacy knows nothing about them. */
export const SIGN_UP = {
  first_name: 'Kim',
  last_name: 'Vale',
  email: 'kim@example.com',
  phone_number: '0491 570 156',
  postcode: '2000',
}

/** Sends a sign-up as the page does. */
export async function signUp(server: TestServer, token: string, more: object = {}) {
  const captcha = await solvedCaptcha(server)
  return server.call<{ withdraw_id: string }>(`/api/consent/${token}/submit`, { ...SIGN_UP, captcha, ...more })
}

/** A person who signs in for a recruiter or a provider, in a separate company. */
export async function makeRecruiterLogin(server: TestServer, partnerId: number): Promise<Support> {
  const company = await makeCompany(server)
  const login = await makeLogin(server, company.id, { flags: ['clinical_trials_login'] })
  await asOwner(server, 'update login set recruiter_provider_id = $2 where id = $1', [login.id, partnerId])
  const tab = await signIn(server, login)
  return { login, tab, company, ask: askAs(server, { login, tab }) }
}

let named = 0

/** Invites and signs up a patient of a world's first pharmacy, with a unique first name. */
export async function referredPatient(server: TestServer, world: MessagingWorld, trialId: number) {
  const [first, second] = [Math.trunc(named / 26), named++ % 26].map((at) => String.fromCharCode(97 + at))
  const name = `Zz${first}${second}`
  const patient = (await makePatients(server, world.locations[0]!.id, 1))[0]!
  await asOwner(server, 'update patient set first_name = $2 where id = $1', [patient.id, name])
  const token = await trialTokenFor(server, world, trialId, patient)
  const { body, status } = await signUp(server, token)
  if (status !== 200) throw new Error(`the sign-up failed: ${status}`)
  return { name, patient, withdraw_id: String(body.withdraw_id), consent_id: await consentIdFor(server, patient) }
}

/** A recruiter's id for a participant. */
export async function consentIdFor(server: TestServer, { id }: TestPatient): Promise<string> {
  const rows = await asOwner<{ uuid: string }>(server, 'select uuid from trial_participant where patient_id = $1', [id])
  return rows[0]!.uuid
}
