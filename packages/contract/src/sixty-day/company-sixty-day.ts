import { z } from 'zod'
import { read } from '../wire/call.ts'
import { needed } from '../wire/needed.ts'
import { pageField } from '../wire/paging.ts'
import { Categories, netOfSupport, Stats, tableFields, tranche, uptake } from './shared.ts'

const NONE = 'Please select at least one pharmacy.'
const pharmacies = z.array(z.uuid(), needed(NONE)).min(1).max(10_000)
const some = ['01980000-0000-7000-8000-00000000000b']
const table = z.object({ pharmacies, ...tableFields })

const agreed = { needs: 'sixty_day_signup', afterAgreement: true } as const

/** 60 day dispensing in the company's own pharmacies. Australia only. */
export const companySixtyDay = {
  info: read({
    path: '/api/company/sixtyday/info',
    ...agreed,
    about: "The company's pharmacies, for the filters of Sixty Day Dispensing.",
    example: { tranche: 'all' },
    input: z.object({ tranche }),
    output: z.object({
      locations: z.array(
        z.object({
          uuid: z.uuid(),
          name: z.string(),
          state: z.string().nullable(),
          postcode: z.string().nullable(),
          /** Affected scripts of the tranche; null before the first calculation. */
          affected_scripts: z.number().nullable(),
          complete: z.boolean(),
        }),
      ),
    }),
  }),
  stats: read({
    path: '/api/company/sixtyday/stats',
    ...agreed,
    replica: true,
    heavy: true,
    about:
      'What an uptake of 60-day scripts would cost these pharmacies, with the molecules and places that make it up.',
    example: { uptake_percentage: 63, pharmacies: some, tranche: 'all' },
    input: z.object({ uptake_percentage: uptake, pharmacies, tranche, net_of_acss: netOfSupport }),
    output: Stats,
  }),
  categories: read({
    path: '/api/company/sixtyday/categories',
    ...agreed,
    replica: true,
    heavy: true,
    about: 'One statistic of 60 day dispensing by pharmacy and category, a page at a time.',
    example: { pharmacies: some, category: 'atc_lvl2', selected_statistic: 'revenue_lost' },
    input: table.extend({ page: pageField }),
    output: Categories,
  }),
  categoriesExport: read({
    path: '/api/company/sixtyday/categories-export',
    ...agreed,
    scratch: true,
    heavy: true,
    answer: 'csv',
    about: 'The whole table as CSV, in the order given.',
    example: { pharmacies: some, category: 'atc_lvl2', selected_statistic: 'revenue_lost' },
    input: table,
    output: z.object({ filename: z.string(), text: z.string() }),
  }),
}
