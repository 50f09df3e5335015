import { PHARMACY_LIMITS } from '@pillar/domain/company/pharmacy'
import { z } from 'zod'
import { faulty } from '../upload/etl-faulty.ts'
import { read, write } from '../wire/call.ts'
import { company, PharmacyModule } from './company-admin.ts'
import { locationAdmin } from './location-admin.ts'

/** A feature that can be switched on for a pharmacy. */
export const Module = PharmacyModule.omit({ external_id: true }).extend({
  location_type: z.string(),
  /** Whether the module knows the pharmacy by a number of its own. */
  needs_external_id: z.boolean(),
})
export type Module = z.output<typeof Module>

/** A pharmacy by its upload key or its uuid; with the uuid, the key can stay closed. */
const key = z.string().min(1).max(200)
const moduleId = z.uuid()
const PHARMACY = '01980000-0000-7000-8000-000000000003'
const MODULE = '01980000-0000-7000-8000-000000000004'

const list = read({
  path: '/api/modules',
  needs: 'sr_login',
  reach: 'platform',
  about: 'All modules a pharmacy may have.',
  example: {},
  input: z.object({}),
  output: z.object({ data: z.array(Module) }),
})

const available = read({
  path: '/api/key/{key}/available-modules',
  needs: 'sr_login',
  reach: 'platform',
  secret: ['key'],
  about: 'Modules that a pharmacy does not have yet. The pharmacy is named by its upload key or its uuid.',
  example: { key: PHARMACY },
  input: z.object({ key }),
  output: z.object({ data: z.array(Module) }),
})

const stale = () => [available, faulty, company.locations, company.search, company.getCompanies, locationAdmin.info]
const modules = z.object({ data: z.array(PharmacyModule) })

/** Pharmacy modules in the support console. */
export const moduleAdmin = {
  list,
  available,
  add: write({
    path: '/api/key/{key}/module/{moduleId}',
    needs: 'sr_login',
    reach: 'platform',
    secret: ['key'],
    stepUp: 'save',
    refreshes: stale,
    about: 'Switches on a module for a pharmacy, or changes the number by which the module knows the pharmacy.',
    example: { key: PHARMACY, moduleId: MODULE, external_id: 'PP-1001' },
    input: z.object({ key, moduleId, external_id: z.string().max(PHARMACY_LIMITS.externalId).nullish() }),
    output: modules,
  }),
  remove: write({
    method: 'DELETE',
    path: '/api/key/{key}/module/{moduleId}',
    needs: 'sr_login',
    reach: 'platform',
    secret: ['key'],
    stepUp: 'delete',
    refreshes: stale,
    about: 'Switches off a module for a pharmacy.',
    example: { key: PHARMACY, moduleId: MODULE },
    input: z.object({ key, moduleId }),
    output: modules,
  }),
}
