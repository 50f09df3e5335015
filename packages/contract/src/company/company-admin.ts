import { COMPANY_NAME_LIMIT } from '@pillar/domain/company/company'
import { COUNTRIES } from '@pillar/domain/time/locale'
import { SHOWN_UPLOAD_STATES } from '@pillar/domain/upload/upload-state'
import { z } from 'zod'
import { User } from '../access/user.ts'
import { userReads } from '../access/user-read.ts'
import { read, write } from '../wire/call.ts'
import { listInput, listOf } from '../wire/list.ts'
import { searchField } from '../wire/paging.ts'

const features = {
  sixty_day_signup: z.boolean(),
  cloud_ecdr: z.boolean(),
  ad_dashboard: z.boolean(),
  supplier_dashboard: z.boolean(),
}

export const Company = z.object({
  uuid: z.uuid(),
  name: z.string(),
  type: z.string(),
  country: z.enum(COUNTRIES),
  created_at: z.iso.datetime(),
  /** The number of pharmacies and of logins; `locations` and `users` list them. */
  locations: z.number(),
  logins: z.number(),
  ...features,
  version: z.number(),
  /** Null while it is in use. */
  removed_at: z.iso.datetime().nullable(),
})
export type Company = z.output<typeof Company>

/** A company as a list shows it. */
export const ListedCompany = Company.extend({
  /** For pharmacies with StrongPro: their number, and how many have uploads in order by the rules of faulty uploads. */
  uploads: z.object({ expected: z.number(), up_to_date: z.number() }),
  /** Up to three pharmacy names that the search matched; empty without a search, or when the company's own name matches. */
  found_locations: z.array(z.string()),
})
export type ListedCompany = z.output<typeof ListedCompany>

/** A module switched on at a pharmacy. */
export const PharmacyModule = z.object({
  uuid: z.uuid(),
  name: z.string(),
  display_name: z.string(),
  display_colour: z.string(),
  external_id: z.string().nullable(),
})
export type PharmacyModule = z.output<typeof PharmacyModule>

/** A pharmacy as shown under its company. */
export const CompanyLocation = z.object({
  uuid: z.uuid(),
  name: z.string(),
  street_address: z.string().nullable(),
  town: z.string().nullable(),
  region: z.string().nullable(),
  postcode: z.string().nullable(),
  country: z.enum(COUNTRIES),
  country_name: z.string(),
  phone_number: z.string().nullable(),
  data_source: z.string().nullable(),
  features: z.array(z.string()),
  no_guild_consent: z.boolean(),
  s8_stocktake_warning_days: z.number().nullable(),
  owner: z.object({ uuid: z.uuid(), name: z.string() }).nullable(),
  modules: z.array(PharmacyModule),
  /** State of its newest upload; NEVER UPLOADED if none was ever completed or requested. */
  upload_status: z.enum(SHOWN_UPLOAD_STATES),
  upload_time: z.iso.datetime().nullable(),
  last_successful_upload_on: z.iso.datetime().nullable(),
  /** State of the oldest open upload; NOT RECEIVED when the queue is empty. */
  queue_status: z.enum(SHOWN_UPLOAD_STATES),
  /** Uploads waiting or loading. */
  queue_items: z.number(),
  version: z.number(),
})
export type CompanyLocation = z.output<typeof CompanyLocation>

const id = z.uuid()
const COMPANY = '01980000-0000-7000-8000-000000000002'
const sorts = ['name', 'created_at', 'locations', 'logins'] as const
const found = listInput(sorts, {
  name: searchField,
  /** Show pharmacies removed in the last 30 days instead of those in use. */
  removed: z.boolean().default(false),
})
const onOff = z.boolean().default(false)
const flags = { sixty_day_signup: onOff, cloud_ecdr: onOff, ad_dashboard: onOff, supplier_dashboard: onOff }
const name = z.string().max(COMPANY_NAME_LIMIT).default('')

const search = read({
  path: '/api/company/search',
  needs: 'sr_login',
  reach: 'platform',
  about: 'Companies, searched by part of their name or by words of a pharmacy’s name (`name` or `search_term`).',
  example: { page: 1, name: 'saltbush' },
  input: found,
  output: listOf(ListedCompany),
})

const getCompanies = read({
  path: '/api/get-companies',
  needs: 'sr_login',
  reach: 'platform',
  about: 'The same as `search`, under the specification’s second name for it.',
  example: { page: 1, name: '' },
  input: found,
  output: listOf(ListedCompany),
})

const list = read({
  path: '/api/company/list',
  needs: 'sr_login',
  reach: 'platform',
  about: 'Names of all companies, to choose from.',
  example: {},
  input: z.object({}),
  output: z.object({ data: z.array(z.object({ uuid: z.uuid(), name: z.string() })) }),
})

const info = read({
  path: '/api/company/{id}/info',
  needs: 'sr_login',
  reach: 'platform',
  about: 'One company.',
  example: { id: COMPANY },
  input: z.object({ id }),
  output: Company,
})

const users = read({
  path: '/api/company/{id}/users',
  needs: 'sr_login',
  reach: 'platform',
  about: 'All logins of a company.',
  example: { id: COMPANY },
  input: z.object({ id, company_id: z.uuid().nullish() }),
  output: z.object({ data: z.array(User) }),
})

const locations = read({
  path: '/api/company/{id}/locations',
  needs: 'sr_login',
  reach: { company: (input: { id: string }) => input.id },
  about: 'The pharmacies of a company, with their modules, newest upload and queue.',
  example: { id: COMPANY },
  input: z.object({ id }),
  output: z.object({ data: z.array(CompanyLocation) }),
})

const loginLocations = read({
  path: '/api/company/{id}/login-locations',
  needs: 'sr_login',
  reach: 'platform',
  about: 'The pharmacies each login of a company is linked to.',
  example: { id: COMPANY },
  input: z.object({ id }),
  output: z.object({ data: z.array(z.object({ uuid: z.uuid(), locations: z.array(z.uuid()) })) }),
})

const stale = () => [search, getCompanies, list, info, userReads.search, userReads.info]

/** Companies in the support console. */
export const company = {
  search,
  getCompanies,
  list,
  info,
  users,
  locations,
  loginLocations,
  create: write({
    path: '/api/company/create',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    refreshes: () => [search, getCompanies, list, userReads.search],
    about:
      'Adds a company and its first login, who gets a one-time link to choose a password. A password given here must be changed at the first sign-in, and no link is sent.',
    example: {
      company_name: 'Saltbush Pharmacy Group',
      username: 'jo.marsh',
      email: 'jo@saltbush.example',
      first_name: 'Jo',
      last_name: 'Marsh',
      password: 'three herons over Ballarat',
      sixty_day_signup: true,
    },
    input: z.object({
      company_name: name,
      username: z.string().max(254).default(''),
      email: z.string().max(254).default(''),
      first_name: z.string().max(100).default(''),
      last_name: z.string().max(100).default(''),
      /** Empty: the person chooses one through the mailed link. */
      password: z.string().max(1000).default(''),
      country: z.enum(COUNTRIES).default('AU'),
      ...flags,
    }),
    output: Company.extend({
      /** The same object again. */
      company: Company,
    }),
  }),
  edit: write({
    path: '/api/company/{uuid}/edit',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'save',
    refreshes: stale,
    about: 'Changes the name and the features of a company.',
    example: { uuid: COMPANY, name: 'Saltbush Pharmacies', cloud_ecdr: true, version: 1 },
    input: z.object({
      uuid: id,
      name,
      /** Left out: unchanged. */
      sixty_day_signup: z.boolean().nullish(),
      cloud_ecdr: z.boolean().nullish(),
      ad_dashboard: z.boolean().nullish(),
      supplier_dashboard: z.boolean().nullish(),
      version: z.number().int().nullish(),
    }),
    output: Company,
  }),
  remove: write({
    path: '/api/company/{uuid}/remove',
    needs: 'sr_login',
    reach: 'platform',
    stepUp: 'delete',
    refreshes: stale,
    about: 'Removes a company that has no pharmacy and no active campaign, and blocks its logins. Its records stay.',
    example: { uuid: COMPANY },
    input: z.object({ uuid: id }),
    output: z.object({ removed: z.literal(true) }),
  }),
  restore: write({
    path: '/api/company/{uuid}/restore',
    needs: 'sr_login',
    reach: 'platform',
    refreshes: stale,
    about: 'Restores a removed company within 30 days, with the logins that its removal blocked.',
    example: { uuid: COMPANY },
    input: z.object({ uuid: id }),
    output: Company,
  }),
}
