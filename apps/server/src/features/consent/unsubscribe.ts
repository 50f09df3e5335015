import { type contract, Refusal } from '@pillar/contract'
import type { Channel } from '@pillar/domain/consent/consent'
import { unsubscribedText } from '@pillar/domain/consent/consent-wording'
import { recordAudit } from '../../api/audit.ts'
import type { HandlersOf, Services } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { companyOfPharmacy } from '../location/location.queries.ts'
import { lockConsent, recordConsent } from './consent-log.queries.ts'
import { readPublicLocation } from './consent-request.queries.ts'
import { type MessageKey, readOptOutToken, readUnsubscribeToken } from './link/consent-token.ts'
import { bookUse, countDeadLink } from './link-throttle.ts'
import { requirePerson } from './person-check.ts'
import { atPharmacy, publicLocation } from './public-location.ts'
import { addressees, numberHolders, readRecipient } from './unsubscribe.queries.ts'

type Handlers = HandlersOf<typeof contract.consent>

const DEAD = 'Invalid URL'
const dead = () => new Refusal('not_found', DEAD)

interface Place extends MessageKey {
  companyId: number
  /** The channel the link ends: a text's link ends texts, an email's link ends email. */
  channel: Channel
}

function readLink(secret: Buffer, token: string): (MessageKey & { channel: Channel }) | null {
  const mailed = readUnsubscribeToken(secret, token)
  if (mailed) return { ...mailed, channel: 'email' }
  const texted = readOptOutToken(secret, token)
  return texted && { ...texted, channel: 'sms' }
}

/**
 * The message a link came with, and its patient. A guess counts against the network; a link we made is recognised by its signature and
 * never refused because of others' dead links on its network, which may be a mail program's or a mobile carrier's.
 */
async function openLink(services: Services, token: string, address: string): Promise<Place> {
  const key = readLink(services.linkSecret, token)
  const companyId = key ? await companyOfPharmacy(services.pools.system, key.locationId) : undefined
  if (key && companyId !== undefined) return { ...key, companyId }
  await countDeadLink(services, address)
  throw dead()
}

async function readAddressees(tx: Tx, { keys }: Services, place: Place) {
  const { locationId, messageId, channel } = place
  const recipient = await readRecipient(tx, keys, locationId, messageId, channel)
  if (!recipient) throw dead()
  const concerned = channel === 'sms' ? numberHolders : addressees
  return { contact: recipient.contact, patients: await concerned(tx, keys, locationId, recipient) }
}

export const unsubscribeForm: Handlers['unsubscribeForm'] = async ({ id }, { services, address }) => {
  const place = await openLink(services, id, address)
  await bookUse(services, id, address)
  return atPharmacy(services, place, async (tx) => {
    const { patients } = await readAddressees(tx, services, place)
    return {
      notification_id: id,
      channel: place.channel,
      opt_out_status: patients.every((one) => one.out),
      location: await publicLocation(tx, services, place.locationId, DEAD),
      product_name: services.env.PRODUCT_NAME,
    }
  })
}

export const unsubscribe: Handlers['unsubscribe'] = async ({ id, captcha }, { services, address }) => {
  const place = await openLink(services, id, address)
  await bookUse(services, id, address)
  // By law, nothing may stand between a person and the way out, so a page whose check fails submits without it.
  if (captcha) await requirePerson(services, captcha)
  await end(services, place, 'unsubscribe page')
  return { unsubscribed: true }
}

/**
 * The one-click header of an email (RFC 8058): a mail program posts without cookie, captcha or person. May be repeated.
 * @throws Refusal not_found, too_many or unavailable
 */
export async function unsubscribeOneClick(services: Services, token: string, address: string): Promise<void> {
  const place = await openLink(services, token, address)
  // The header belongs to emails; only a stranger could have put a text's link there.
  if (place.channel !== 'email') throw dead()
  await end(services, place, 'one-click')
}

/**
 * Ends at once all email of the pharmacy to the address, or all its texts to the number as a STOP does. What has ended already is not
 * recorded again and does not wait for the pharmacy's consent lock: a mail program may repeat it without end. No text confirms it: the page
 * does.
 */
async function end(services: Services, place: Place, source: 'unsubscribe page' | 'one-click'): Promise<void> {
  const now = services.now()
  await atPharmacy(services, place, async (tx) => {
    const left = async () => {
      const { contact, patients } = await readAddressees(tx, services, place)
      return { contact, ids: patients.filter((one) => !one.out).map(({ patientId }) => patientId) }
    }
    if ((await left()).ids.length === 0) return
    await lockConsent(tx, place.locationId)
    const { contact, ids } = await left()
    if (ids.length === 0) return
    const pharmacy = await readPublicLocation(tx, place.locationId)
    const { locationId, channel } = place
    const read = unsubscribedText(pharmacy?.name ?? '', channel)
    const wording = source === 'one-click' ? 'List-Unsubscribe=One-Click' : read
    const event = { type: channel === 'sms' ? ('stop' as const) : ('unsubscribe' as const) }
    for (const patientId of ids) {
      const entry = { locationId, patientId, at: now, event, wording, source }
      await recordConsent(tx, { ...entry, contact: { text: contact, keys: services.keys } }, now)
    }
    await recordAudit(tx, {
      caller: { companyId: place.companyId, loginId: null, sessionId: null },
      action: 'consent.unsubscribe',
      object: null,
      detail: { location: locationId, message: place.messageId, channel, source },
    })
  })
}
