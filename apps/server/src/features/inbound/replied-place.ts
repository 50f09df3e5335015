import { reportedNumber } from '@pillar/domain/message/sms-sender'
import type { ReplyKind } from '@pillar/domain/message/stop-words'
import type { Services } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { inScope } from '../../db/scope.ts'
import {
  knowingPlaces,
  type RepliedPlace,
  type SendingCompany,
  senderlessCompanies,
  sendingCompanies,
  type TextingPlace,
  textingPlaces,
  withErasures,
} from './replied-place.queries.ts'

/** Of the number with its country code: a gateway or a setting may name it as it is written at home. */
const digitsOf = (number: string) => reportedNumber(number.replaceAll(/\D/g, '')).replace('+', '')

/**
 * The pharmacies a reply from a contact (all that it may stand as) is meant for, by the number it was sent to. If that is the sender of a
 * pharmacy or of a company, those it is the sender of: the ones that texted the contact, or may have; if none did, all with that sender of
 * their own, and of a company's those that have the patient, so that no opt-out is lost. With them those that texted from it when it was
 * theirs. If it is the installation's, or no longer anybody's, all that texted the contact: an answer is for those that text from there, if any
 * do, and a START for them alone, because it must not lift a STOP to another number. Newest text first.
 * @param kind a STOP to a company that does not know the contact is for all that texted it, and one to the installation's number or to
 *   nobody's, if none did, for all without a sender of their own that have the patient. If some did, it is also for those that may have, in
 *   messages to somebody who was erased. Anything else would tell other companies
 */
export async function repliedPlaces(
  services: Services,
  system: Tx,
  from: readonly string[],
  { to, kind }: { to: string; kind: ReplyKind },
): Promise<readonly RepliedPlace[]> {
  const digits = digitsOf(to)
  const everybody = digitsOf(services.sms.defaultSender)
  const stop = kind === 'stop'
  const places = await textingPlaces(system, from, digits)
  // The installation's sender is everybody's, even if somebody has entered it as their own.
  const everybodys = async () => {
    const texted = texting(places)
    if (digits !== '' && (kind === 'start' || kind === 'other')) {
      const here = texted.filter(({ elsewhere }) => !elsewhere)
      return here.length > 0 || kind === 'start' ? here : texted
    }
    return stop
      ? [...texted, ...(await missing(services, system, from, await senderlessCompanies(system, everybody), texted))]
      : texted
  }
  if (digits === '' || digits === everybody) return everybodys()
  const companies = await sendingCompanies(system, digits)
  const own = texting(places.filter((place) => place.own))
  const known = stop || !own.some(didText) ? await missing(services, system, from, companies, own) : []
  // A pharmacy whose sender it was has texted from it, and its patients may answer late.
  const meant = [...places.filter((place) => own.includes(place) || place.before), ...known]
  if (meant.length > 0) return meant
  if (companies.length === 0) return everybodys()
  return stop ? texting(places) : []
}

const didText = ({ last }: RepliedPlace) => last !== null

/** Those of several pharmacies that texted the contact; all if none did. */
function texting(places: readonly TextingPlace[]): readonly TextingPlace[] {
  const texted = places.filter(didText)
  return texted.length > 0 ? texted : places
}

/**
 * The pharmacies of these companies, beside those found, that have the patient and may be meant too, each company read in its own scope. Once
 * one has texted, only those that may also have: messages to somebody who was erased no longer say that they did.
 */
async function missing(
  { pools }: Services,
  system: Tx,
  from: readonly string[],
  companies: readonly SendingCompany[],
  found: readonly RepliedPlace[],
): Promise<RepliedPlace[]> {
  const erased = found.some(didText)
  const more: RepliedPlace[] = []
  for (const scope of erased ? await withErasures(system, companies) : companies)
    for (const place of await inScope(pools.app, scope, (tx) => knowingPlaces(tx, from, erased)))
      if (!found.some(({ locationId }) => locationId === place.locationId)) more.push({ ...place, last: null })
  return more
}
