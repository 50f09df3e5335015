import { ATTENTION_KINDS } from '@pillar/domain/s8/attention'
import { BALANCE_CHECKS } from '@pillar/domain/s8/entry'
import { STOCKTAKE_DAYS } from '@pillar/domain/s8/stocktake'
import { z } from 'zod'
import { RegisterCheck, S8Attention, S8Entry, S8Location, S8Product, S8Stats } from './s8-row.ts'
import { read, write } from './wire/call.ts'
import { dayInput, localInput } from './wire/dates.ts'
import { listInput, listOf } from './wire/list.ts'
import { longFile } from './wire/long-file.ts'
import { searchField } from './wire/paging.ts'

/** The most entries one file holds. */
export const S8_FILE_ROWS = 1_000_000

const LOCATION = '01980000-0000-7000-8000-000000000003'
const location_uuid = z.uuid()
const count = z.number()
const day = z.iso.date()
/** The first or last day, or an instant, which counts as the day it falls on at the pharmacy. */
const dayOrTime = z.union([dayInput, localInput])
const timezone = z.string().max(64).default('')

const productFilters = {
  otp: z.boolean().default(false),
  cannabis: z.boolean().default(false),
  custom: z.boolean().default(false),
  counted: z.boolean().default(true),
  overdue: z.boolean().default(true),
  never: z.boolean().default(false),
  in_stock: z.boolean().default(false),
  active: z.boolean().default(true),
  s8_stocktake_warning_days: z.number().int().min(STOCKTAKE_DAYS.least).max(STOCKTAKE_DAYS.most).nullish(),
}
const productSorts = [
  'product_name',
  'balance',
  'last_stocktake_on',
  'last_stocktake_taken_by',
  'last_stocktake_note',
  'status',
] as const

const productInput = listInput(productSorts, { location_uuid, name: searchField, ...productFilters }).omit({
  search_term: true,
})

const registerSorts = [
  'transaction_product_id',
  'date',
  'product_name',
  'balance_check_status',
  'entry_type',
  'name',
  'address',
  'in',
  'out',
  'balance',
  'reference_number',
  'pharmacist',
  'doctor',
  'note',
] as const

const registerInput = listInput(registerSorts, {
  location_uuid,
  name: searchField,
  /** Default: the month up to `end_date`, or up to today without that. */
  start_date: dayOrTime.nullish(),
  end_date: dayOrTime.nullish(),
  sort_order: z.enum(['asc', 'desc']).default('desc'),
  balance: z.enum(BALANCE_CHECKS).nullish(),
  /** False: entries waiting for a countersignature; true: entries with one. */
  countersigned: z.boolean().nullish(),
}).omit({ search_term: true })

const last_page = z.number()
const file = z.object({ filename: z.string(), text: z.string() })

const stats = read({
  path: '/api/s8/stats/list',
  needs: 'ecdr',
  about: 'The Schedule 8 registers of every pharmacy, one line each.',
  example: { page: 1, name: 'harbour' },
  input: listInput(
    [
      'name',
      'last_stocktake_taken_on',
      'overdue_products_count',
      'owing_script_count',
      'pending_partial_supplies_count',
      'pending_countersigned_count',
      'pending_destruction_count',
      'upload_time',
    ] as const,
    { name: searchField },
  ).omit({ search_term: true }),
  output: listOf(S8Stats).extend({ last_page }),
})

const info = read({
  path: '/api/s8/{location_uuid}/info',
  needs: 'ecdr',
  about: 'One pharmacy’s registers: whom to call, the state of its stock counts, and whether its chain is intact.',
  example: { location_uuid: LOCATION },
  input: z.object({ location_uuid }),
  output: S8Stats.extend({
    /** Active products by the state of their stock count. */
    products: z.object({ counted: count, overdue: count, never: count }),
    warning_days: count,
    chain: z.object({ entries: count, head: z.string() }),
    /** The number of issues at the pharmacy, by kind. */
    attention: z.record(z.enum(ATTENTION_KINDS), count),
  }),
})

const attention = read({
  path: '/api/s8/attention/list',
  needs: 'ecdr',
  about:
    'What needs somebody in any register of the company: broken balances, late counts, missing countersignatures, silent uploads, contradicted entries, altered registers.',
  example: { kind: 'balance', page: 1 },
  input: listInput(['kind', 'name', 'since'] as const, {
    kind: z.enum(ATTENTION_KINDS).nullish(),
    location_uuid: z.uuid().nullish(),
  }),
  output: listOf(S8Attention).extend({ last_page }),
})

const attentionCounts = read({
  path: '/api/s8/attention/counts',
  needs: 'ecdr',
  about: 'How much needs somebody in the registers, by kind: now, and at the end of each of the last eight weeks.',
  example: {},
  input: z.object({}),
  output: z.object({
    now: z.record(z.enum(ATTENTION_KINDS), count),
    pharmacies: count,
    /** The number of pharmacies with any issue. */
    concerned: count,
    /** Oldest first. Earlier days leave out the kinds that are only known for now. */
    weeks: z.array(z.object({ day, counts: z.partialRecord(z.enum(ATTENTION_KINDS), count) })),
    checked_at: z.iso.datetime().nullable(),
  }),
})

const version = S8Entry.pick({
  ...{ date: true, product_name: true, name: true, address: true, in: true, out: true },
  ...{ reference_number: true, pharmacist: true, second_signer: true, doctor: true, note: true },
}).extend({
  action: z.string(),
  stated_balance: z.number().nullable(),
  received_at: z.iso.datetime(),
})

/** Registers of Schedule 8 medicines, for the people in a company who oversee them. */
export const s8 = {
  stats,
  info,
  attention,
  attentionCounts,
  products: read({
    path: '/api/s8/{location_uuid}/product-list',
    needs: 'ecdr',
    about: 'A pharmacy’s stock register: products with balance and last stocktake.',
    example: { location_uuid: LOCATION, counted: true, overdue: true, page: 1 },
    input: productInput,
    output: listOf(S8Product).extend({ last_page }),
  }),
  productsCsv: read({
    path: '/api/s8/{location_uuid}/product-list/export',
    needs: 'ecdr',
    scratch: true,
    answer: 'csv',
    about: 'The stock register as CSV: the rows, order and words on screen, dates in the zone asked for.',
    example: { location_uuid: LOCATION, timezone: 'Australia/Sydney' },
    input: productInput.omit({ page: true }).extend({ timezone }),
    output: file,
  }),
  drugRegister: read({
    path: '/api/s8/{location_uuid}/drug-register',
    needs: 'ecdr',
    scratch: true,
    about:
      'A pharmacy’s drug register: every entry, with the balance that its product’s entries add up to. Shows patients.',
    example: { location_uuid: LOCATION, start_date: '2026-10-01', end_date: '2026-10-31', sort_order: 'desc' },
    input: registerInput,
    output: listOf(S8Entry).extend({ last_page, start_date: day, end_date: day }),
  }),
  drugRegisterCsv: read({
    path: '/api/s8/{location_uuid}/drug-register/export',
    needs: 'ecdr',
    scratch: true,
    heavy: true,
    long: true,
    answer: 'csv',
    about: 'The drug register as CSV, times in the zone asked for. Holds patients.',
    example: {
      location_uuid: LOCATION,
      start_date: '2026-10-01',
      end_date: '2026-10-31',
      timezone: 'Australia/Sydney',
    },
    input: registerInput.omit({ page: true }).extend({ timezone }),
    output: longFile,
  }),
  /** The page to hand to an inspector. */
  page: read({
    path: '/api/s8/{location_uuid}/register-page',
    needs: 'ecdr',
    scratch: true,
    about:
      'The register of one product over a period, for printing: opening balance, every entry, closing balance. Shows patients.',
    example: { location_uuid: LOCATION, product_id: 'S8-1', start_date: '2026-10-01', end_date: '2026-10-31' },
    input: z.object({
      location_uuid,
      product_id: z.string().min(1).max(200),
      start_date: dayOrTime,
      end_date: dayOrTime,
    }),
    output: z.object({
      location: S8Location,
      product: S8Product,
      start_date: day,
      end_date: day,
      opening_balance: z.number(),
      closing_balance: z.number(),
      entries: z.array(S8Entry),
      /** Whether entries beyond the most that one document holds were left out. */
      cut: z.boolean(),
      /** Numbers of those entries that were sent again with different content. */
      contradicted: z.array(z.number()),
      chain: z.object({ entries: count, head: z.string() }),
      check: RegisterCheck,
      printed_at: z.iso.datetime(),
      printed_by: z.string(),
    }),
  }),
  contradiction: read({
    path: '/api/s8/{location_uuid}/contradiction',
    needs: 'ecdr',
    scratch: true,
    about:
      'An entry that was sent again with different content: the version in force, and each other version. Shows patients.',
    example: { location_uuid: LOCATION, transaction_product_id: 345 },
    input: z.object({ location_uuid, transaction_product_id: z.number().int().min(1) }),
    output: z.object({ product_name: z.string(), kept: version, sent: z.array(version) }),
  }),
  check: write({
    path: '/api/s8/{location_uuid}/check',
    needs: 'ecdr',
    refreshes: () => [stats, info, attention, attentionCounts],
    about: 'Checks every entry of a pharmacy’s register against its chain and its anchor, now.',
    example: { location_uuid: LOCATION },
    input: z.object({ location_uuid }),
    output: RegisterCheck,
  }),
}
