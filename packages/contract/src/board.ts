import { DASHBOARD_TYPE_VALUES } from '@pillar/domain/dashboard/dashboard'
import { COUNTRIES } from '@pillar/domain/time/locale'
import { z } from 'zod'
import { read } from './wire/call.ts'

const type = z.enum(DASHBOARD_TYPE_VALUES)
const values = z.array(z.number().nullable())

const BoardData = z.object({
  name: z.string(),
  dashboard_type: type,
  country: z.enum(COUNTRIES),
  /** The drug types to choose from, and the chosen one; null while nothing is published. */
  drug_classes: z.array(z.string()),
  drug_class: z.string().nullable(),
  /** Closed months, oldest first, such as 2026-10. */
  months: z.array(z.string()),
  /** The number of pharmacies counted in each month. */
  pharmacies: z.array(z.number()),
  /** Scripts of the drug type in each month; null where they must stay hidden. */
  scripts: values,
  /** Shares of these scripts by month, as fractions; `own` marks the supplier's products. */
  shares: z.array(z.object({ label: z.string(), own: z.boolean(), values })),
  /** January to December: scripts per pharmacy per day, with the average month at 100. */
  seasons: values,
  /** The share of the other companies' scripts of this drug type that were adherent, by month. */
  adherence: values,
  /** The last financial year with patient journeys counted; null before the first. */
  year: z
    .object({
      from: z.iso.date(),
      to: z.iso.date(),
      /**
       * People who began a product: new to the drug type, switching from the supplier's products, or from any other. Null where hidden. A separate
       * row counts those who left one of the supplier's products for any other.
       */
      arrivals: z.array(
        z.object({
          label: z.string(),
          own: z.boolean(),
          fresh: z.number().nullable(),
          from_own: z.number().nullable(),
          from_other: z.number().nullable(),
          /** Those new and those from any other product, where only their sum may be shown; null otherwise. */
          together: z.number().nullable(),
        }),
      ),
      /** How many of those new to the drug type still take their first product, by days. `at_risk` and `began` are rounded to 10. */
      curves: z.array(
        z.object({
          label: z.string(),
          own: z.boolean(),
          began: z.number(),
          points: z.array(
            z.object({
              day: z.number(),
              share: z.number(),
              low: z.number().nullable(),
              high: z.number().nullable(),
              at_risk: z.number(),
            }),
          ),
        }),
      ),
    })
    .nullable(),
  /** What the company's own pharmacies sent, by month; advertising only. Null where hidden. */
  reach: z
    .array(
      z.object({
        month: z.string(),
        sms: z.number().nullable(),
        email: z.number().nullable(),
        reach: z.number().nullable(),
      }),
    )
    .nullable(),
})
export type BoardData = z.output<typeof BoardData>

const needs = ['supplier_analytics', 'ad_analytics'] as const

/** Analytics: the dashboards a company may see, tokens to embed them, and the content of Pillar's own boards. */
export const board = {
  list: read({
    path: '/api/get-dashboards',
    needs,
    about: 'The analytics dashboards of the caller’s company that the caller may see, by type and name.',
    example: { active: true },
    input: z.object({ active: z.boolean().default(true) }),
    output: z.array(
      z.object({
        id: z.uuid(),
        /** Its id for embedding. */
        dashboard_id: z.uuid(),
        name: z.string(),
        dashboard_type: type,
        /** The host it is embedded from; empty while this installation has no address for boards. */
        domain_url: z.string(),
      }),
    ),
  }),
  token: read({
    path: '/api/superset-token',
    needs,
    waits: true,
    scratch: true,
    about: 'A token with which the embedding page shows one dashboard of the caller’s company for 300 seconds.',
    example: { dashboard_id: '0192c0de-0009-7000-8000-000000000001' },
    input: z.object({ dashboard_id: z.uuid() }),
    output: z.object({ token: z.string() }),
  }),
  data: read({
    path: '/api/board-data',
    // The token in the body is the only authority: the frame has neither cookie nor bearer.
    needs: 'public',
    about: 'The content of one of Pillar’s own boards, for the holder of a token for it.',
    example: { token: 'eyJhbGciOiJIUzI1NiJ9.e30.signature' },
    input: z.object({ token: z.string().max(4_000), drug_class: z.string().max(200).nullish() }),
    output: BoardData,
  }),
}
