import { type contract, Refusal } from '@pillar/contract'
import { fakePatientProblem, MOST_FAKE_PATIENTS } from '@pillar/domain/message/fake-patient'
import { oneLine } from '@pillar/domain/text/plain-text'
import { noteCounts } from '../../api/audit.ts'
import { type Context, callerOf, type HandlersOf, tenantTx } from '../../api/context.ts'
import { emailTo, smsTo } from '../location/contact.ts'
import {
  countFakePatients,
  deleteFakePatients,
  type FakePatientRow,
  insertFakePatient,
  isOwnContact,
  listFakePatients,
  scopedPharmacy,
  testableCampaigns,
} from './fake-patient.queries.ts'
import { staffContactHandlers } from './staff-contact.handlers.ts'
import { sendTest } from './test-run.ts'

export const fakePatientHandlers: HandlersOf<typeof contract.fakePatient> = {
  ...staffContactHandlers,

  async list({ patient_ids }, context) {
    const tx = tenantTx(context)
    const { id } = await scopedPharmacy(tx)
    const rows = await listFakePatients(
      { tx, keys: context.services.keys },
      id,
      patient_ids?.length ? patient_ids : null,
      context.services.now(),
    )
    return { fake_patient_list: rows.map(shown) }
  },

  async campaigns(_input, context) {
    const tx = tenantTx(context)
    return { campaigns: await testableCampaigns(tx, (await scopedPharmacy(tx)).id) }
  },

  async add({ patient }, context) {
    const tx = tenantTx(context)
    const problem = fakePatientProblem({ ...patient, age: patient.age ?? null })
    if (problem !== '') throw new Refusal('invalid', problem)
    const pharmacy = await scopedPharmacy(tx)
    if ((await countFakePatients(tx, pharmacy.id)) >= MOST_FAKE_PATIENTS) {
      const message = `This pharmacy has ${MOST_FAKE_PATIENTS} fake patients already. Please remove one first.`
      throw new Refusal('conflict', message)
    }
    const [mobile, email] = [patient.mobile.trim(), patient.email.trim()]
    const one = {
      ...patient,
      ...{ mobile, email, age: patient.age ?? null, sex: patient.sex ?? null },
      first_name: oneLine(patient.first_name),
      last_name: oneLine(patient.last_name),
      address: oneLine(patient.address),
      sms_to: mobile === '' ? null : await ownContact(context, 'sms', smsTo(mobile, pharmacy.country)),
      email_to: email === '' ? null : await ownContact(context, 'email', emailTo(email)),
      sms_nocontact_reason: patient.sms_nocontact_reason ?? null,
      email_nocontact_reason: patient.email_nocontact_reason ?? null,
    }
    const added = { by: callerOf(context).loginId, at: context.services.now() }
    const opened = { tx, keys: context.services.keys }
    await insertFakePatient(opened, pharmacy.id, one, added)
    const [row] = await listFakePatients(opened, pharmacy.id, [patient.id], added.at)
    return shown(row!)
  },

  async remove({ patient_ids }, context) {
    const tx = tenantTx(context)
    const removed = await deleteFakePatients(tx, (await scopedPharmacy(tx)).id, patient_ids)
    if (removed === 0) throw new Refusal('not_found', 'That fake patient was not found.')
    noteCounts(context, { removed })
    return { removed }
  },

  async test({ campaign_id }, context) {
    const sent = await sendTest(context, campaign_id)
    noteCounts(context, sent)
    return { ...sent, simulated: context.services.sms.simulated }
  },
}

const WORDS = {
  sms: { field: 'mobile', wrong: 'Please enter a mobile number of the pharmacy’s country.', what: 'mobile number' },
  email: { field: 'email', wrong: 'Please enter a valid email address.', what: 'email address' },
} as const

/** The contact, if the caller has confirmed it as their own. @throws Refusal invalid otherwise: no stranger is texted */
async function ownContact(context: Context, channel: 'sms' | 'email', contact: string | null): Promise<string> {
  const { field, wrong, what } = WORDS[channel]
  const refuse = (message: string) => new Refusal('invalid', message, { errors: { [field]: [message] } })
  if (contact === null) throw refuse(wrong)
  const own = await isOwnContact(tenantTx(context), callerOf(context).loginId, channel, contact, context.services.now())
  if (!own) throw refuse(`Please confirm this ${what} as your own first, or leave it empty. Nobody else is messaged.`)
  return contact
}

const shown = ({ patient_id: _, sms_to: __, email_to: ___, added_at, ...row }: FakePatientRow) => ({
  ...row,
  added_at: added_at.toISOString(),
})
