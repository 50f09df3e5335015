import * as z from 'zod/mini'
import { known } from '../../../shared/search-field.ts'

/** What the address of a campaign's page may hold: which of its tables is open; its pharmacies without. */
export const campaignSearch = z.object({ tab: known(z.enum(['messages', 'set-up'])) })
export type CampaignSearch = z.output<typeof campaignSearch>
