import { distanceKm, type Place } from '@pillar/domain/cohort/distance'
import { THIRTY_DAY_MOST } from '@pillar/domain/sixty-day/choices'
import { day as dayOf } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import type { Tx } from '../../db/database.ts'
import { storedContacts } from '../../db/field/contact.ts'
import type { Keys } from '../../db/field/key-ring.ts'
import { CONTACT_RULES, emailTo, smsTo } from '../location/contact.ts'
import { NO_SIXTY_DAY, sixtyDayCodes } from '../sixty-day/list.queries.ts'
import { changedContacts, saveContacts, takeRules, type WrittenContact } from './contact.queries.ts'
import { postcodesOf, renewFacts } from './fact/facts.queries.ts'
import { placeOf } from './place.ts'

/** The pharmacy whose data arrived. */
interface Uploaded {
  id: number
  country: Country
  dataTo: string
}

const CHUNK = 5000

/** After an upload: resolves the contacts of new and changed patients. @returns how many patients were checked */
export async function refreshContacts(tx: Tx, keys: Keys, location: Pick<Uploaded, 'id' | 'country'>): Promise<number> {
  await takeRules(tx, location.id, CONTACT_RULES)
  let looked = 0
  // Repeated if another upload, or the resealing of contacts, changed one of them meanwhile.
  for (let all = false; !all; ) {
    const { changed, kept } = await resolveChanged(tx, keys, location)
    looked += changed
    all = kept === changed
  }
  return looked
}

async function resolveChanged(tx: Tx, keys: Keys, { id, country }: Pick<Uploaded, 'id' | 'country'>) {
  const changed: WrittenContact[] = []
  for (let more = true; more; ) {
    const chunk = await changedContacts(tx, keys, { locationId: id, afterId: changed.at(-1)?.id ?? 0, limit: CHUNK })
    changed.push(...chunk)
    more = chunk.length > 0
  }
  const usable = changed.map((one) => ({ ...one, sms: smsTo(one.mobile, country), email: emailTo(one.email) }))
  const stored = await storedContacts(
    tx,
    keys,
    usable.flatMap(({ sms, email }) => [sms, email]),
  )
  const as = (contact: string | null) => (contact === null ? null : stored.get(contact)!)
  const contacts = usable.map(({ sms, email, ...one }) => ({ ...one, sms_to: as(sms), email_to: as(email) }))
  let kept = 0
  for (let at = 0; at < contacts.length; at += CHUNK) kept += await saveContacts(tx, id, contacts.slice(at, at + CHUNK))
  return { changed: contacts.length, kept }
}

/**
 * After an upload: brings what cohorts filter on up to date for each active patient, as of the pharmacy's newest data. Run it after the
 * contacts.
 */
export async function refreshFacts(tx: Tx, location: Uploaded): Promise<void> {
  const { id, country, dataTo } = location
  const { postcodes, postcode, latitude, longitude } = await postcodesOf(tx, id)
  const here: Place | null =
    latitude !== null && longitude !== null ? { latitude, longitude } : placeOf(country, postcode)
  const distances = postcodes.flatMap((written) => {
    const there = placeOf(country, written)
    return here && there ? [{ postcode: written, km: distanceKm(here, there) }] : []
  })
  const sixtyDay = country === 'AU' ? await sixtyDayCodes(tx, dayOf(dataTo)) : NO_SIXTY_DAY
  await renewFacts(tx, { locationId: id, dataTo, sixtyDay, thirtyDayMost: THIRTY_DAY_MOST, distances })
}
