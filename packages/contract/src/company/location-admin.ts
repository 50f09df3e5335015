import { PHARMACY_FEATURES, PHARMACY_LIMITS } from '@pillar/domain/company/pharmacy'
import { STOCKTAKE_DAYS } from '@pillar/domain/s8/stocktake'
import { COUNTRIES } from '@pillar/domain/time/locale'
import { z } from 'zod'
import { userLink } from '../access/user-link-admin.ts'
import { faulty } from '../upload/etl-faulty.ts'
import { read, write } from '../wire/call.ts'
import { company, PharmacyModule } from './company-admin.ts'
import { postcodeInput } from './postcode.ts'

/** A pharmacy with every field the console edits. */
export const Pharmacy = z.object({
  uuid: z.uuid(),
  company_id: z.uuid(),
  company_name: z.string(),
  name: z.string(),
  street_address: z.string().nullable(),
  town: z.string().nullable(),
  region: z.string().nullable(),
  postcode: z.string().nullable(),
  country: z.enum(COUNTRIES),
  country_name: z.string(),
  phone_number: z.string().nullable(),
  /** Set from the address; null where the gazetteer does not know it. */
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  time_zone: z.string(),
  data_source: z.string().nullable(),
  features: z.array(z.string()),
  no_guild_consent: z.boolean(),
  /** Days for which a stock count of a Schedule 8 product stays valid; null means 28. */
  s8_stocktake_warning_days: z.number().nullable(),
  owner: z.object({ uuid: z.uuid(), name: z.string() }).nullable(),
  modules: z.array(PharmacyModule),
  created_at: z.iso.datetime(),
  version: z.number(),
})
export type Pharmacy = z.output<typeof Pharmacy>

/** A place in the gazetteer. */
export const Place = z.object({
  postcode: z.string(),
  town: z.string(),
  region: z.string(),
  country: z.enum(COUNTRIES),
  latitude: z.number(),
  longitude: z.number(),
  time_zone: z.string(),
})
export type Place = z.output<typeof Place>

const id = z.uuid()
const COMPANY = '01980000-0000-7000-8000-000000000002'
const PHARMACY = '01980000-0000-7000-8000-000000000003'
const MODULE = '01980000-0000-7000-8000-000000000004'
const line = (limit: number) => z.string().max(limit).nullish()
const name = z.string().max(PHARMACY_LIMITS.name).default('')

const address = {
  phone_number: line(PHARMACY_LIMITS.phone),
  street_address: line(PHARMACY_LIMITS.line),
  region: line(PHARMACY_LIMITS.region),
  postcode: postcodeInput.nullish(),
  /** 'Australia', 'United Kingdom' or 'United States'. Left out: the company's country, or unchanged. */
  country_name: z.string().max(60).nullish(),
  town: line(PHARMACY_LIMITS.line),
}
const more = {
  data_source: z.string().max(40).nullish(),
  no_guild_consent: z.boolean().nullish(),
  /** Null means 28; left out on an edit: unchanged. */
  s8_stocktake_warning_days: z.number().int().min(STOCKTAKE_DAYS.least).max(STOCKTAKE_DAYS.most).nullish(),
  features: z.array(z.enum(PHARMACY_FEATURES)).max(PHARMACY_FEATURES.length).nullish(),
  /** The login that owns the pharmacy. */
  owner: z.uuid().nullish(),
  /** All modules to be on; left out on an edit: unchanged. */
  module_ids: z
    .array(z.object({ module_id: z.uuid(), external_id: z.string().max(PHARMACY_LIMITS.externalId).nullish() }))
    .max(50)
    .nullish(),
}

const info = read({
  path: '/api/location/{id}/info',
  needs: 'sr_login',
  reach: 'platform',
  about: 'One pharmacy.',
  example: { id: PHARMACY },
  input: z.object({ id }),
  output: Pharmacy,
})

const places = read({
  path: '/api/place/search',
  needs: 'sr_login',
  reach: 'platform',
  about: 'Places of a country by postcode or name, best match first: "3350", "ballarat", "ballarat vic", "EH1 2AB".',
  example: { country: 'AU', search_term: 'ballarat' },
  input: z.object({ country: z.enum(COUNTRIES), search_term: z.string().max(100).default('') }),
  output: z.object({ data: z.array(Place) }),
})

const removed = read({
  path: '/api/company/{id}/removed-locations',
  needs: 'sr_login',
  reach: 'platform',
  about: 'Pharmacies of a company that were removed in the last 30 days and can be restored.',
  example: { id: COMPANY },
  input: z.object({ id }),
  output: z.object({
    data: z.array(
      z.object({ uuid: z.uuid(), name: z.string(), town: z.string().nullable(), removed_at: z.iso.datetime() }),
    ),
  }),
})

/** Includes links and letters, because the owner is linked to the pharmacy. */
const stale = () => [
  ...[removed, info, faulty, company.locations, company.search, company.getCompanies],
  ...[company.loginLocations, userLink.locations, userLink.notifications],
]

/** Pharmacies in the support console. */
export const locationAdmin = {
  info,
  places,
  removed,
  create: write({
    path: '/api/create-company-pharmacy',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    refreshes: stale,
    about:
      'Adds a pharmacy to a company, with an upload key of its own. The address decides its place on the map and its time zone.',
    example: {
      company_id: COMPANY,
      name: 'Sturt Street Pharmacy',
      street_address: '12 Sturt Street',
      town: 'Ballarat',
      region: 'VIC',
      postcode: '3350',
      country_name: 'Australia',
      data_source: 'fred',
      module_ids: [{ module_id: MODULE, external_id: 'PP-1001' }],
    },
    input: z.object({
      company_id: z.uuid(),
      name,
      ...address,
      /** The same as `town`, which takes precedence. */
      city: line(PHARMACY_LIMITS.line),
      ...more,
    }),
    output: Pharmacy.extend({
      /** The same object again. */
      location: Pharmacy,
    }),
  }),
  edit: write({
    path: '/api/location/{id}/edit',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    refreshes: stale,
    about:
      'Changes a pharmacy. Fields left out stay as they are. A new address sets its place on the map and its time zone.',
    example: { id: PHARMACY, name: 'Sturt Street Pharmacy', postcode: '3350', town: 'Ballarat', version: 1 },
    input: z.object({ id, name, ...address, ...more, version: z.number().int().nullish() }),
    output: Pharmacy.extend({
      /** The same object again. */
      data: Pharmacy,
    }),
  }),
  remove: write({
    path: '/api/location/{uuid}/remove',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'delete',
    refreshes: stale,
    about:
      'Removes a pharmacy that no active campaign and no unfinished send needs. Its key stops working; its records stay.',
    example: { uuid: PHARMACY },
    input: z.object({ uuid: id }),
    output: z.object({ removed: z.literal(true) }),
  }),
  restore: write({
    path: '/api/location/{uuid}/restore',
    needs: 'sr_login',
    reach: 'platform',
    refreshes: stale,
    about: 'Restores a removed pharmacy within 30 days, with its key.',
    example: { uuid: PHARMACY },
    input: z.object({ uuid: id }),
    output: Pharmacy,
  }),
}
