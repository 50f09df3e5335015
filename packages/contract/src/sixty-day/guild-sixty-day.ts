import { SIXTY_DAY_STATES } from '@pillar/domain/sixty-day/choices'
import { z } from 'zod'
import { read } from '../wire/call.ts'
import { pageField } from '../wire/paging.ts'
import { Categories, netOfSupport, Stats, tableFields, tranche, uptake } from './shared.ts'

const NONE = 'Please select at least one state.'
const states = z
  .array(z.enum(SIXTY_DAY_STATES), NONE)
  .min(1, NONE)
  .max(SIXTY_DAY_STATES.length)
  .default([...SIXTY_DAY_STATES])
const VALUES = 'Please select at least one state or postcode.'
const table = z.object({
  ...tableFields,
  location_type: z.enum(['state', 'postcode']).default('state'),
  /** Published states or postcodes; all when left out. */
  location_values: z.array(z.string().max(10), VALUES).min(1, VALUES).max(5000).optional(),
})

/** 60 day dispensing across Australia, for groups of at least three pharmacies, published once a year. */
export const guildSixtyDay = {
  info: read({
    path: '/api/guild/sixtyday/info',
    needs: 'guild_login',
    about: 'The states and postcodes with at least three pharmacies, none of which has more than half.',
    example: { tranche: 'all' },
    input: z.object({ tranche }),
    output: z.object({
      locations: z.array(z.object({ name: z.string(), postcodes: z.array(z.string()), pharmacies: z.number() })),
    }),
  }),
  stats: read({
    path: '/api/guild/sixtyday/stats',
    needs: 'guild_login',
    about:
      'What an uptake of 60-day scripts would cost the pharmacies of these states, with the molecules and places that make it up.',
    example: { uptake_percentage: 63, states: ['NSW', 'VIC'], tranche: 'all' },
    input: z.object({ uptake_percentage: uptake, states, tranche, net_of_acss: netOfSupport }),
    output: Stats,
  }),
  categories: read({
    path: '/api/guild/sixtyday/categories',
    needs: 'guild_login',
    about: 'One statistic of 60 day dispensing by state or postcode and category, a page at a time.',
    example: { location_type: 'state', location_values: ['NSW'], category: 'age', selected_statistic: 'scripts_lost' },
    input: table.extend({ page: pageField }),
    output: Categories,
  }),
  categoriesExport: read({
    path: '/api/guild/sixtyday/categories-export',
    needs: 'guild_login',
    scratch: true,
    answer: 'csv',
    about: 'The whole table as CSV, in the order given.',
    example: { location_type: 'state', category: 'age', selected_statistic: 'scripts_lost' },
    input: table,
    output: z.object({ filename: z.string(), text: z.string() }),
  }),
}
