import { type contract, Refusal } from '@pillar/contract'
import {
  canonicalFields,
  type MergeValues,
  renderMessage,
  renderSubject,
  unknownFields,
} from '@pillar/domain/message/merge-field'
import {
  countSms,
  OPT_OUT_LINK,
  optOutFor,
  smsCents,
  tippingCharacter,
  unicodeCharacters,
  withOptOut,
} from '@pillar/domain/message/sms-text'
import { plainText } from '@pillar/domain/text/plain-text'
import { listOf } from '@pillar/domain/text/sentence'
import { noteChange, recordAudit } from '../../api/audit.ts'
import { type Context, callerOf, type HandlersOf, type Services, tenantTx } from '../../api/context.ts'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import { isErasedNumber } from '../erasure/erased-stage.queries.ts'
import { smsTo } from '../location/contact.ts'
import { pharmacyValues } from '../location/messaging-pharmacy.queries.ts'
import { countHourly } from './draft/hourly-limit.ts'
import { emailOf } from './email-layout.ts'
import { findPharmacy, findTester, type PreviewPharmacy, pickPatient, wantsNoTexts } from './preview.queries.ts'
import { sendTest } from './test-message.jobs.ts'

type Template = HandlersOf<typeof contract.template>

export const previewHandlers: Pick<Template, 'preview' | 'test'> = {
  async preview({ pharmacy_id, body, subject, patient: number }, context) {
    const tx = tenantTx(context)
    const pharmacy = await findPharmacy(tx, pharmacy_id)
    const { patients, patient } = await pickPatient(tx, pharmacy.id, number)
    await recordAudit(tx, {
      caller: callerOf(context),
      action: 'template.preview',
      object: pharmacy.uuid,
      detail: { patient_id: patient?.id ?? null },
    })
    const values = { ...valuesOf(pharmacy, context.services), ...namesOf(patient) }
    const { sms, email, missing } = rendered({ body, subject: subject ?? null }, pharmacy, values, context.services)
    return {
      patient_name: patient && ([patient.first_name, patient.last_name].filter(Boolean).join(' ') || null),
      patients,
      sms: { text: sms, ...costOf(sms) },
      email: { from: pharmacy.name, ...email },
      missing,
    }
  },

  async test({ pharmacy_id, channel, body, subject, mobile }, context) {
    const { services } = context
    const tx = tenantTx(context)
    const caller = callerOf(context)
    const pharmacy = await findPharmacy(tx, pharmacy_id)
    refuseUnknown(channel === 'email' ? `${subject ?? ''}\n${body}` : body)
    const tester = await findTester(services.pools.system, caller.loginId)
    const to = channel === 'email' ? tester.email : await numberOf(context, mobile ?? '')
    // Never a patient's name: the message may lie on a desk or reach a mistyped number.
    const values = { ...valuesOf(pharmacy, services), ...namesOf(tester) }
    const { sms, email } = rendered({ body, subject: subject ?? null }, pharmacy, values, services)
    if (sms === '') throw new Refusal('invalid', 'Please enter a message body.')
    await countHourly(services, 'test', caller.loginId)
    await services.queue.send(tx, sendTest, {
      reference: `test-${uuidv7()}`,
      channel,
      to,
      from: channel === 'sms' ? pharmacy.sms_sender : pharmacy.name,
      subject: email.subject,
      text: channel === 'sms' ? sms : email.text,
      html: channel === 'sms' ? '' : email.html,
      unsubscribe_url: exampleLink(services, 'unsubscribe'),
    })
    const recipient = channel === 'sms' ? `number ending in ${to.slice(-3)}` : 'own email address'
    noteChange(context, pharmacy.uuid, { name: pharmacy.name, sent_to: null as string | null }, { sent_to: recipient })
    const gateway = channel === 'sms' ? services.sms : services.bulkEmail
    return { sent_to: to, simulated: gateway.simulated }
  },
}

const EXAMPLES = {
  consent: '/consent/link-of-this-patient-x',
  unsubscribe: '/unsubscribe/link-of-this-patient-x',
  optOut: '/u/this-patients-opt-out-link',
} as const

/** A link as long as a real one, so that the text costs the same; it opens nothing. */
const exampleLink = (services: Services, kind: keyof typeof EXAMPLES) =>
  new URL(EXAMPLES[kind], services.publicUrl()).href

const namesOf = (person: { first_name: string | null; last_name: string | null } | null): MergeValues => ({
  first_name: person?.first_name ?? null,
  last_name: person?.last_name ?? null,
})

const valuesOf = (pharmacy: PreviewPharmacy, services: Services): MergeValues => ({
  ...pharmacyValues(pharmacy),
  consent_id: exampleLink(services, 'consent'),
})

/** A message as sent on both channels, with the fields that had no value. */
function rendered(
  message: { body: string; subject: string | null },
  pharmacy: PreviewPharmacy,
  values: MergeValues,
  services: Services,
) {
  const body = renderMessage(canonicalFields(plainText(message.body)).trim(), values)
  const subject = renderSubject(canonicalFields(plainText(message.subject ?? '')), values)
  const email = emailOf({
    body: body.text,
    subject: subject.text,
    pharmacy,
    unsubscribeUrl: exampleLink(services, 'unsubscribe'),
    productName: services.env.PRODUCT_NAME,
  })
  const optOut = optOutFor(pharmacy.sms_sender ?? services.sms.defaultSender)
  const line = optOut.replaceAll(OPT_OUT_LINK, exampleLink(services, 'optOut'))
  return { sms: withOptOut(body.text, line), email, missing: [...new Set([...body.missing, ...subject.missing])] }
}

function costOf(text: string) {
  const { encoding, units, parts } = countSms(text)
  const tipping = unicodeCharacters(text)[0] ?? tippingCharacter(text)
  return { encoding, units, parts, cents: smsCents(parts), tipping: tipping?.character ?? null }
}

function refuseUnknown(text: string): void {
  const unknown = unknownFields(text)
  if (unknown.length > 0) throw new Refusal('invalid', `Please replace ${listOf(unknown)} with a field from the list.`)
}

/** The number in E.164. Refuses one that is not a mobile of the country, or whose owner has opted out of texts or was erased. */
async function numberOf(context: Context, written: string): Promise<string> {
  const { secret, keys } = context.services
  const { companyId, country } = callerOf(context)
  if (written.trim() === '') throw new Refusal('invalid', 'Please enter a mobile number to send the test to.')
  const number = smsTo(written, country)
  if (!number) {
    const message = 'Please enter a mobile number of your own country, such as 0491 570 006.'
    throw new Refusal('invalid', message)
  }
  const tx = tenantTx(context)
  if ((await wantsNoTexts(tx, keys, number)) || (await isErasedNumber(tx, secret, companyId, number))) {
    throw new Refusal(
      'conflict',
      'This number has opted out of texts, so no test is sent to it. Please use another number.',
    )
  }
  return number
}
