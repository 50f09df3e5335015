import * as z from 'zod/mini'
import { known } from '../../../shared/search-field.ts'

/** What the address of a campaign's page may contain: the open table; without one, its pharmacies. */
export const campaignSearch = z.object({ tab: known(z.enum(['messages', 'set-up'])) })
export type CampaignSearch = z.output<typeof campaignSearch>
