import { z } from 'zod'
import { AverageCell, bound, Cell, CellChange, Ranked, Share, Stat } from './figure.ts'
import { explain } from './figure-explain.ts'
import { tableCsv, tableInput, tableXlsx } from './figure-export.ts'
import { trend } from './figure-trend.ts'
import { changeParts, figureValues } from './figure-values.ts'
import { periodFields, pharmacyIds, Span } from './period.ts'
import { persistence } from './persistence.ts'
import { pharmacyReads } from './pharmacy.ts'
import { read } from './wire/call.ts'

const percent = z.number().nullable()

/** A pharmacy with the fields the filters and the table head need. */
export const Pharmacy = z.object({
  pharmacy_id: z.uuid(),
  pharmacy_name: z.string(),
  state: z.string().nullable(),
  postcode: z.string().nullable(),
  owner: z.object({ name: z.string(), email: z.string() }).nullable(),
  /** First and last day of its data; null when it never uploaded. */
  data_from: z.iso.date().nullable(),
  data_to: z.iso.date().nullable(),
  /** The period includes business days before the pharmacy's data begins, so its figures have no comparison. */
  begins_before_data: z.boolean(),
  last_upload: z.iso.datetime().nullable(),
  /** Not fresh: no completed upload within one business day. */
  late: z.boolean(),
  upload_status: z.string(),
})
export type Pharmacy = z.output<typeof Pharmacy>

const changes = z.record(z.string(), CellChange)

export const financials = {
  initInfo: read({
    path: '/api/enterprise-init-info',
    needs: 'data_analytics',
    replica: true,
    about: 'Pharmacies, categories and periods the Financials filters offer.',
    example: { year: 2026, month: 10 },
    input: z.object(periodFields),
    output: z.object({
      pharmacies: z.array(Pharmacy),
      categories: z.array(z.object({ name: z.string(), subcategories: z.array(z.string()) })),
      years: z.array(z.number()),
      today: z.iso.date(),
      period: Span,
    }),
  }),
  stats: read({
    path: '/api/enterprise-pharmacy-stats',
    needs: 'data_analytics',
    replica: true,
    heavy: true,
    about: 'The headline numbers for the selected pharmacies and period, each with its change from a year earlier.',
    example: { pharmacy_ids: ['01980000-0000-7000-8000-00000000000b'], year: 2026, month: 10 },
    input: z.object({ pharmacy_ids: pharmacyIds, ...periodFields }),
    output: z.object({
      revenue: Stat,
      scripts: Stat,
      patients: Stat.extend({
        sex: z.object({ male: Stat, female: Stat }),
        adherence: Stat,
        non_adherence: Stat,
        /** Adherent patients as a share of those measured. */
        adherent_share: Share,
      }),
      total_adherence_opportunity_cost: Stat,
      period: Span,
      /** The period that changes are compared with. */
      prior: z.object({ from: z.iso.date(), to: z.iso.date() }),
      /** Oldest and newest `data_to` of the pharmacies included. */
      data_from_oldest: z.iso.date().nullable(),
      data_to: z.iso.date().nullable(),
      pharmacies_counted: z.number(),
      /** Pharmacies with complete data in the period and a year earlier: only they count in changes. */
      pharmacies_compared: z.number(),
      /** The number of pharmacies whose data begins within the period, after at least one business day. */
      pharmacies_begun_late: z.number(),
    }),
  }),
  table: read({
    path: '/api/enterprise-pharmacy-table',
    needs: 'data_analytics',
    replica: true,
    heavy: true,
    about: 'The pharmacy-by-category table with its totals, averages, and best and worst categories.',
    example: { category: 'Drug Type', pharmacies: ['01980000-0000-7000-8000-00000000000b'], year: 2026, month: 10 },
    /** `changes` also returns each cell's change from a year earlier. */
    input: tableInput.extend({ changes: z.boolean().default(false) }),
    output: z.object({
      category: z.string(),
      period: Span,
      /** First column is TOTAL over all subcategories; the rest by revenue, largest first. */
      columns: z.array(z.object({ field: z.string(), total: Cell })),
      /**
       * The product average: other companies' pharmacies over closed months. A hidden cell is absent, a hidden figure null; null when there is none.
       */
      baseline: z.record(z.string(), AverageCell).nullable(),
      /** The smallest number of pharmacies behind any of those months. */
      baseline_pharmacies: z.number(),
      /** First and last day of the months it covers; while `period` is running, they end before it does. */
      baseline_from: z.iso.date().nullable(),
      baseline_to: z.iso.date().nullable(),
      /** Why there is no product average, in a sentence; null when there is one. */
      baseline_reason: z.string().nullable(),
      selected_average: z.record(z.string(), Cell),
      selected_pharmacies: z.number(),
      /** Changes of the totals, over the pharmacies compared; empty unless requested. */
      changes,
      pharmacies: z.array(
        z.object({
          pharmacy_id: z.uuid(),
          pharmacy_name: z.string(),
          state: z.string().nullable(),
          postcode: z.string().nullable(),
          data_from: z.iso.date().nullable(),
          data_to: z.iso.date().nullable(),
          /** The period includes business days before the pharmacy's data begins, so it has no performance. */
          begins_before_data: z.boolean(),
          late: z.boolean(),
          cells: z.record(z.string(), Cell),
          /** Empty unless requested, and for a pharmacy without a comparison. */
          changes,
        }),
      ),
      best_categories: Ranked,
      worst_categories: Ranked,
    }),
  }),
  tableCsv,
  tableXlsx,
  opportunity: read({
    path: '/api/enterprise-opportunity-calculator',
    needs: 'data_analytics',
    replica: true,
    heavy: true,
    about: 'What a change in adherence (points) or price per script would be worth.',
    example: {
      category: 'Drug Type',
      subcategory: 'Statins',
      pharmacy_ids: ['01980000-0000-7000-8000-00000000000b'],
      adherence_adjustment: 5,
      year: 2026,
      month: 10,
    },
    input: z.object({
      category: z.string().max(100).optional(),
      subcategory: z.string().max(200),
      pharmacy_ids: pharmacyIds,
      adherence_adjustment: z.number().min(-100).max(100).default(0),
      price_per_script_adjustment: z.number().min(-10_000).max(10_000).default(0),
      ...periodFields,
    }),
    output: z.object({
      /** Days covered of days observed; null with fewer than 10 patients measured on a molecule, or with nothing covered. */
      current_adherence: percent,
      current_adherence_n: z.number(),
      current_adherence_low: bound,
      current_adherence_high: bound,
      total_script: z.number(),
      current_revenue: z.number(),
      potential_adherence: percent,
      /** Rounded to 2 decimals. */
      potential_script: z.number(),
      potential_revenue: z.number(),
      /** Scripts of measured patients: only these grow with adherence. */
      measured_script: z.number(),
      /** The requested change would more than double those scripts, so they are counted as doubled. */
      growth_capped: z.boolean(),
    }),
  }),
  explain,
  trend,
  figures: figureValues,
  changeParts,
  persistence,
  ...pharmacyReads,
  adherenceDetail: read({
    path: '/api/enterprise-adherence-detail',
    scratch: true,
    needs: 'data_analytics',
    heavy: true,
    about: 'The patient and molecule rows behind one pharmacy’s adherence figure.',
    example: { pharmacy_id: '01980000-0000-7000-8000-00000000000b', year: 2026, month: 10 },
    input: z.object({
      pharmacy_id: z.uuid(),
      category: z.string().max(100).optional(),
      subcategory: z.string().max(200).optional(),
      ...periodFields,
      page: z.number().int().min(1).max(100_000).default(1),
    }),
    output: z.object({
      rows: z.array(
        z.object({
          patient_ref: z.string(),
          molecule: z.string(),
          atc: z.string().nullable(),
          first_supply: z.iso.date(),
          window_start: z.iso.date(),
          window_end: z.iso.date(),
          observed_days: z.number(),
          covered_days: z.number(),
          pdc: z.number(),
          level: z.number(),
          /** Scripts of the pair in the period: its weight in adherent_script_percent. */
          scripts: z.number(),
        }),
      ),
      /** Sums over all pages, so that the rows can be checked against the tile. */
      totals: z.object({
        pairs: z.number(),
        patients: z.number(),
        adherent_patients: z.number(),
        non_adherent_patients: z.number(),
        observed_days: z.number(),
        covered_days: z.number(),
        scripts: z.number(),
        adherent_scripts: z.number(),
      }),
      period: Span,
      data_to: z.iso.date().nullable(),
      current_page: z.number(),
      page_count: z.number(),
      per_page: z.number(),
    }),
  }),
}
