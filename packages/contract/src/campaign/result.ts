import { NO_RESULTS, REVENUE_METHODS } from '@pillar/domain/campaign/campaign-result'
import { z } from 'zod'

/** The evidence behind a result and its uncertainty; money in dollars. With a `reason`, revenue, its change and the return are null. */
export const ResultBasis = z.object({
  /** Why there is no result: nothing was sent, no sales cover the days after it, or under 100 patients were messaged. */
  reason: z.enum(NO_RESULTS).nullable(),
  method: z.enum(REVENUE_METHODS).nullable(),
  method_name: z.string().nullable(),
  /** 95% interval of the revenue added; null where the method has none. */
  low: z.number().nullable(),
  high: z.number().nullable(),
  /** The number of messaged patients in the result. */
  n_messaged: z.number(),
  /** The number of patients they are compared with; null where each is compared with their own previous year. */
  n_compared: z.number().nullable(),
})
export type ResultBasis = z.output<typeof ResultBasis>
