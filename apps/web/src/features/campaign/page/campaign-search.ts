import * as z from 'zod/mini'

/** What the address of a campaign's page may hold: which of its tables is open; its pharmacies without. */
export const campaignSearch = z.object({ tab: z.catch(z.optional(z.enum(['messages', 'set-up'])), undefined) })
export type CampaignSearch = z.output<typeof campaignSearch>
