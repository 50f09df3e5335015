import { type contract, type InputOf, Refusal } from '@pillar/contract'
import { countryNamed, pharmacyProblem } from '@pillar/domain/company/pharmacy'
import { oneLine } from '@pillar/domain/text/plain-text'
import { COUNTRY_NAMES, type Country } from '@pillar/domain/time/locale'
import { hasZone } from '@pillar/domain/time/zone'
import { DISPENSING_SYSTEMS } from '@pillar/domain/upload/data-source'
import type { Tx } from '../../db/database.ts'
import { locate, otherStateProblem, stateInAmerica, zoneAt, zoneOfZip } from './gazetteer.ts'
import { findOwner, type PharmacyColumns, type PharmacyRow } from './location-admin.queries.ts'
import { listModules } from './module.queries.ts'

type Given = Omit<InputOf<typeof contract.locationAdmin.edit>, 'id' | 'version'>
type Before = Pick<PharmacyRow, keyof PharmacyRow & keyof PharmacyColumns> & Pick<PharmacyRow, 'modules'>

const EMPTY = {
  ...{
    name: '',
    street_address: null,
    town: null,
    region: null,
    postcode: null,
    phone_number: null,
    data_source: null,
  },
  ...{ latitude: null, longitude: null, time_zone: '', features: [], no_guild_consent: false, modules: [] },
  s8_stocktake_warning_days: null,
}

/** A pharmacy that does not exist yet. */
export const nothingYet = (country: Country): Before => ({ ...EMPTY, country })

export interface CheckedPharmacy {
  columns: Omit<PharmacyColumns, 'owner_login_id'>
  /** The modules to switch on; null leaves them as they are. */
  modules: { id: number; external_id: string | null }[] | null
}

/**
 * The resulting pharmacy: the given fields over the existing ones, and what its address implies.
 * @param home its company's country: an existing pharmacy abroad may stay there, or be corrected
 * @throws Refusal invalid with one sentence that names everything missing or wrong
 */
export async function checkedPharmacy(tx: Tx, given: Given, before: Before, home: Country): Promise<CheckedPharmacy> {
  const text = (value: string | null | undefined, was: string | null) =>
    value === undefined ? was : oneLine(value ?? '') || null
  const country = given.country_name == null ? before.country : countryNamed(given.country_name)
  if (!country)
    throw new Refusal('invalid', 'Please select Australia, United Kingdom, or United States as the country.')
  // A company's money is in one currency.
  if (country !== before.country && country !== home)
    throw new Refusal('invalid', `Please select ${COUNTRY_NAMES[home]} as the country: it is that of the company.`)
  const region = text(given.region, before.region)?.toUpperCase() ?? null
  const postcode = text(given.postcode, before.postcode)?.toUpperCase() ?? null
  const place = {
    country,
    street_address: text(given.street_address, before.street_address),
    town: text(given.town, before.town),
    region: country === 'US' ? stateInAmerica(region, postcode) : region,
    postcode,
  }
  const modules = given.module_ids ? await chosenModules(tx, given.module_ids) : null
  const draft = {
    name: oneLine(given.name),
    phone_number: text(given.phone_number, before.phone_number),
    data_source: sourceOf(given.data_source, before.data_source),
  }
  const problem = pharmacyProblem({
    ...{
      name: draft.name,
      country,
      town: place.town ?? '',
      region: place.region ?? '',
      postcode: place.postcode ?? '',
    },
    ...{ phone_number: draft.phone_number ?? '', module_ids: modules ?? [] },
  })
  if (problem !== '') throw new Refusal('invalid', problem)
  const columns = {
    ...draft,
    ...place,
    ...whereabouts(place, before),
    features: given.features ?? before.features,
    no_guild_consent: given.no_guild_consent ?? before.no_guild_consent,
    s8_stocktake_warning_days:
      given.s8_stocktake_warning_days === undefined
        ? before.s8_stocktake_warning_days
        : given.s8_stocktake_warning_days,
  }
  const links = modules?.map(({ id, external_id }) => ({ id, external_id: external_id || null })) ?? null
  return { columns, modules: links }
}

/**
 * Map position and time zone of an address; the previous ones if the address is unchanged.
 * @throws Refusal invalid if the time zone would be a guess or another state's: patients could be texted at night
 */
function whereabouts(place: Pick<PharmacyColumns, 'country' | 'town' | 'region' | 'postcode'>, before: Before) {
  const fields = ['country', 'town', 'region', 'postcode'] as const
  const { latitude, longitude, time_zone } = before
  if (time_zone !== '' && fields.every((field) => place[field] === before[field]))
    return { latitude, longitude, time_zone }
  const found = locate(place)
  if (place.country === 'US' && zoneOfZip(place.postcode) === null && !hasZone('US', place.region))
    throw new Refusal(
      'invalid',
      `ZIP code ${place.postcode} is not known. Please check it, or enter the state as two letters, such as CA.`,
    )
  const elsewhere = otherStateProblem(place)
  if (elsewhere) throw new Refusal('invalid', elsewhere, { errors: { postcode: [elsewhere] } })
  return {
    latitude: found?.latitude ?? null,
    longitude: found?.longitude ?? null,
    time_zone: zoneAt(place),
  }
}

/** @throws Refusal invalid for a source that is not on the list, unless the pharmacy has it already */
function sourceOf(given: string | null | undefined, before: string | null): string | null {
  if (given === undefined) return before
  const wanted = given?.trim() || null
  if (wanted === null || wanted === before || DISPENSING_SYSTEMS.some(({ key }) => key === wanted)) return wanted
  throw new Refusal('invalid', 'Please select a data source from the list.')
}

async function chosenModules(tx: Tx, chosen: NonNullable<Given['module_ids']>) {
  const all = new Map((await listModules(tx)).map((module) => [module.uuid, module]))
  const links = new Map(chosen.map((one) => [one.module_id.toLowerCase(), oneLine(one.external_id ?? '')]))
  return [...links].map(([uuid, external_id]) => {
    const module = all.get(uuid)
    if (!module) throw new Refusal('not_found', 'That module was not found.')
    return { ...module, external_id }
  })
}

/** The login that will own a pharmacy: null for nobody, undefined for unchanged. */
export async function chosenOwner(
  tx: Tx,
  companyId: number,
  owner: string | null | undefined,
): Promise<number | null | undefined> {
  return typeof owner === 'string' ? findOwner(tx, companyId, owner) : owner
}
