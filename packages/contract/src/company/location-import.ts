import { z } from 'zod'
import { userLink } from '../access/user-link-admin.ts'
import { userReads } from '../access/user-read.ts'
import { read, write } from '../wire/call.ts'
import { listInput, listOf } from '../wire/list.ts'
import { company } from './company-admin.ts'
import { locationAdmin } from './location-admin.ts'

const Named = z.object({ uuid: z.uuid(), name: z.string() })
const ImportedLogin = Named.extend({
  email: z.string(),
  /** The number of other pharmacies of the company that the login serves. */
  pharmacies: z.number(),
})

/** What moves to another company with a pharmacy, what stays, and what is stopped. */
export const ImportPreview = z.object({
  pharmacy: Named,
  from: Named,
  to: Named,
  logins_moving: z.array(ImportedLogin),
  /** Logins that also serve other pharmacies of the company, or belong to the company alone. */
  logins_staying: z.array(ImportedLogin),
  patients: z.number(),
  uploads: z.number(),
  messages: z.number(),
  /** Unsent messages, which are cancelled. */
  queued_messages: z.number(),
  /** Campaigns that lose the pharmacy; if one is running there, it stops there. */
  campaigns: z.array(Named.extend({ running: z.boolean() })),
  /** The pharmacy's sequences, which end. */
  sequences: z.number(),
})
export type ImportPreview = z.output<typeof ImportPreview>

const which = { company_id: z.uuid(), import_pharmacy_id: z.uuid() }
const COMPANY = '01980000-0000-7000-8000-000000000002'
const PHARMACY = '01980000-0000-7000-8000-000000000003'

export const FoundPharmacy = Named.extend({ company_id: z.uuid(), company_name: z.string() })

const pharmacies = read({
  path: '/api/location/search',
  needs: 'sr_login',
  reach: 'platform',
  about: 'Pharmacies of all companies except one, searched by name.',
  example: { search_term: 'sturt' },
  input: listInput(['name', 'company'], { not_company: z.uuid().nullish() }),
  output: listOf(FoundPharmacy),
})

const preview = read({
  path: '/api/import-company-pharmacy/preview',
  needs: 'sr_login',
  reach: 'platform',
  about: 'What an import would move, leave and stop.',
  example: { company_id: COMPANY, import_pharmacy_id: PHARMACY },
  input: z.object(which),
  output: ImportPreview,
})

/** Moving a pharmacy from one company to another. */
export const locationImport = {
  pharmacies,
  preview,
  run: write({
    path: '/api/import-company-pharmacy',
    needs: 'sr_login',
    reach: 'platform',
    slow: true,
    stepUp: 'save',
    subject: ({ import_pharmacy_id }) => import_pharmacy_id,
    refreshes: () => [
      ...[pharmacies, preview, locationAdmin.info, company.locations, company.search, company.getCompanies],
      // The pharmacy's logins move with it.
      ...[company.users, company.loginLocations, userReads.search, userReads.info],
      ...[userLink.locations, userLink.notifications],
    ],
    about:
      'Moves a pharmacy with its logins and its history to a company. Campaigns and sequences that run there are stopped first.',
    example: { company_id: COMPANY, import_pharmacy_id: PHARMACY },
    input: z.object(which),
    output: z.object({
      uuid: z.uuid(),
      name: z.string(),
      moved_logins: z.number(),
      /** Names of the campaigns stopped at the pharmacy. */
      stopped_campaigns: z.array(z.string()),
      cancelled_messages: z.number(),
    }),
  }),
}
