import { ATTENTION_KINDS } from '@pillar/domain/s8/attention'
import { BALANCE_CHECKS, ENTRY_TYPE_NAMES } from '@pillar/domain/s8/entry'
import { STOCK_STATUSES } from '@pillar/domain/s8/stocktake'
import { z } from 'zod'

const count = z.number()
const day = z.iso.date()

export const S8Location = z.object({
  name: z.string(),
  uuid: z.uuid(),
  /** Null means 28. */
  s8_stocktake_warning_days: z.number().nullable(),
  street_address: z.string().nullable(),
  town: z.string().nullable(),
  region: z.string().nullable(),
  postcode: z.string().nullable(),
  phone_number: z.string().nullable(),
  time_zone: z.string(),
})

/** The person to call about a pharmacy; null is shown as 'No Contact Set'. */
export const S8Owner = z
  .object({
    email: z.string(),
    person: z.object({ personal_information: z.object({ first_name: z.string(), last_name: z.string() }) }),
  })
  .nullable()

/** The latest result of checking the register's chain. */
export const RegisterCheck = z.object({
  /** Null if it was never checked. */
  checked_at: z.iso.datetime().nullable(),
  entries: count,
  /** Null if the register is intact; otherwise a sentence naming the altered entry. */
  fault: z.string().nullable(),
})

/** One pharmacy in the list. */
export const S8Stats = z.object({
  /** The uuid of the pharmacy. */
  id: z.uuid(),
  location: S8Location,
  owner: S8Owner,
  last_stocktake_taken_on: day.nullable(),
  overdue_products_count: count,
  /** Null if the pharmacy's system does not send it. */
  incoming_script_count: count.nullable(),
  incoming_invoice_count: count.nullable(),
  owing_script_count: count,
  pending_partial_supplies_count: count,
  pending_countersigned_count: count,
  pending_destruction_count: count,
  active_opioid_replacement_oral_patient_count: count,
  pending_opioid_replacement_oral_claim_count: count.nullable(),
  active_staged_supply_patient_count: count,
  /** When its registers last arrived; null if never. */
  upload_time: z.iso.datetime().nullable(),
  check: RegisterCheck,
})
export type S8Stats = z.output<typeof S8Stats>

/** A line of the stock register. */
export const S8Product = z.object({
  product_id: z.string(),
  product_name: z.string(),
  brand: z.string().nullable(),
  unit: z.string().nullable(),
  tags: z.object({ otp: z.boolean(), cannabis: z.boolean(), custom: z.boolean(), inactive: z.boolean() }),
  balance: z.number(),
  last_stocktake_on: day.nullable(),
  last_stocktake_taken_by: z.string().nullable(),
  last_stocktake_note: z.string().nullable(),
  status: z.enum(STOCK_STATUSES),
  /** Days since a count was due; 0 if not overdue. */
  overdue_days: count,
})
export type S8Product = z.output<typeof S8Product>

/** A line of the drug register. */
export const S8Entry = z.object({
  transaction_product_id: z.number(),
  date: z.iso.datetime(),
  product_name: z.string(),
  balance_check_status: z.enum(BALANCE_CHECKS),
  entry_type: z.enum(ENTRY_TYPE_NAMES),
  /** The action in words: 'Supplied, script owing'. */
  action: z.string(),
  name: z.string().nullable(),
  address: z.string().nullable(),
  in: z.number(),
  out: z.number(),
  /** The balance that all entries of the product add up to. */
  balance: z.number(),
  /** The balance stated in the register, or the counted stock; null if neither was recorded. */
  stated_balance: z.number().nullable(),
  reference_number: z.string().nullable(),
  pharmacist: z.string(),
  /** The second signer; null if nobody. */
  second_signer: z.string().nullable(),
  /** An intern's entry without a countersignature. */
  waits_for_countersign: z.boolean(),
  /** The person asked to be erased; the law requires the entry to stay. */
  erased: z.boolean(),
  doctor: z.string().nullable(),
  note: z.string().nullable(),
})
export type S8Entry = z.output<typeof S8Entry>

/** An issue in a register that needs attention. */
export const S8Attention = z.object({
  id: z.string(),
  kind: z.enum(ATTENTION_KINDS),
  location: z.object({ uuid: z.uuid(), name: z.string(), time_zone: z.string() }),
  owner: S8Owner,
  product_id: z.string().nullable(),
  product_name: z.string().nullable(),
  /** The number of the entry in the register. */
  transaction_product_id: z.number().nullable(),
  /** What is wrong, in a sentence. */
  what: z.string(),
  /** What to do about it, in a sentence. */
  next_step: z.string(),
  since: day,
  days: count,
})
export type S8Attention = z.output<typeof S8Attention>
