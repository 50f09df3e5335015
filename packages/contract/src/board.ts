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
  /** Drug types it can be about, and the one it is about; null while nothing is published. */
  drug_classes: z.array(z.string()),
  drug_class: z.string().nullable(),
  /** Closed months, oldest first, such as 2026-10. */
  months: z.array(z.string()),
  /** Pharmacies counted in each of them. */
  pharmacies: z.array(z.number()),
  /** Scripts of the drug type in each month; null where they may not be shown. */
  scripts: values,
  /** Shares of these scripts, as fractions, by month; `own` are the products of the supplier. */
  shares: z.array(z.object({ label: z.string(), own: z.boolean(), values })),
  /** January to December: scripts a day and pharmacy, 100 being the average month. */
  seasons: values,
  /** The share of the other companies' scripts of this drug type that were adherent, by month. */
  adherence: values,
  /** The last financial year whose journeys are counted; null before there is one. */
  year: z
    .object({
      from: z.iso.date(),
      to: z.iso.date(),
      /**
       * People who began with a product: new to the drug type, from the supplier's products, from any other. Null where hidden. Who left one
       * of the supplier's products is counted over all others together, in a row of its own.
       */
      arrivals: z.array(
        z.object({
          label: z.string(),
          own: z.boolean(),
          fresh: z.number().nullable(),
          from_own: z.number().nullable(),
          from_other: z.number().nullable(),
          /** New or from any other, where these may only be shown together; null otherwise. */
          together: z.number().nullable(),
        }),
      ),
      /** How many of those new to the drug type still take what they began with, by days. `at_risk` and `began` are rounded to 10. */
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
  /** What the company's own pharmacies sent, by month; for advertising alone. Null where hidden. */
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

/** Analytics: the dashboards a company may see, tokens to embed them, and what Pillar's own boards show. */
export const board = {
  list: read({
    path: '/api/get-dashboards',
    needs,
    about: 'The analytics dashboards of the caller’s company that fit the caller’s access, by type and name.',
    example: { active: true },
    input: z.object({ active: z.boolean().default(true) }),
    output: z.array(
      z.object({
        id: z.uuid(),
        /** Its id for embedding. */
        dashboard_id: z.uuid(),
        name: z.string(),
        dashboard_type: type,
        /** Where it is embedded from; empty while this installation has no address for boards. */
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
    // The token in the body is all the authority: the frame has neither cookie nor bearer.
    needs: 'public',
    about: 'What one of Pillar’s own boards shows to whoever holds a token for it.',
    example: { token: 'eyJhbGciOiJIUzI1NiJ9.e30.signature' },
    input: z.object({ token: z.string().max(4_000), drug_class: z.string().max(200).nullish() }),
    output: BoardData,
  }),
}
