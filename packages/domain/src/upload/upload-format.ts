import { PATIENT_TYPES_OF } from '../dispensing/patient-type.ts'
import { BALANCE_CHECKS, ENTRY_TYPE_NAMES } from '../s8/entry.ts'

/**
 * The canonical upload: the sets a pharmacy sends and the columns of each. Every source profile maps its own
 * columns to these; the loader, the demo generator and docs/upload-format.md all read this table.
 */

export type ColumnType =
  | 'id'
  | 'text'
  | 'date'
  | 'time'
  | 'integer'
  | 'serial'
  | 'quantity'
  | 'money'
  | 'flag'
  | 'sex'
  | 'patient_type'
  | 'entry_type'
  | 'balance_check'

export interface ColumnRule {
  readonly type: ColumnType
  /** The row is faulty without it. Other columns may be missing or empty. */
  readonly required?: true
  /** The longest text stored, in characters; a longer one makes the row faulty. Default 200. */
  readonly max?: number
  /** The most decimals of a quantity; more make the row faulty. Default 6. */
  readonly decimals?: 2
  readonly meaning: string
}

/** Registers of Schedule 8 medicines use hundredths; rounding would change them. */
const REGISTER_QUANTITY = { type: 'quantity', decimals: 2 } as const

/** The largest amount one line may have as paid, reimbursed or spent, either sign, in dollars or pounds; a larger one is a typing error. */
export const MAX_LINE_AMOUNT = 1_000_000

/** The dispensing record. */
export const DISPENSING_SETS = ['patients', 'prescribers', 'drugs', 'prescriptions', 'scripts', 'stock'] as const
export type DispensingSet = (typeof DISPENSING_SETS)[number]
/** The registers of Schedule 8 medicines. */
export const REGISTER_SETS = ['s8_products', 's8_transactions', 's8_status'] as const
export type RegisterSet = (typeof REGISTER_SETS)[number]

export const UPLOAD_SETS = [...DISPENSING_SETS, ...REGISTER_SETS] as const
export type UploadSet = (typeof UPLOAD_SETS)[number]

/** Whether a set, or the file of that name, belongs to the registers of Schedule 8 medicines. */
export const isRegisterSet = (set: string): set is RegisterSet => REGISTER_SETS.some((one) => one === set)

export const CANONICAL_FORMAT = {
  patients: {
    patient_id: { type: 'id', required: true, meaning: "The pharmacy's own patient number" },
    first_name: {
      type: 'text',
      max: 100,
      meaning:
        'Given name; messages and patients’ pages write `MARY-ANNE (WEBSTER)` as Mary-Anne, without notes behind it, as they do the family name',
    },
    last_name: { type: 'text', max: 100, meaning: 'Family name' },
    sex: { type: 'sex', meaning: 'F or M; anything else is kept as unknown' },
    date_of_birth: { type: 'date', meaning: 'Date of birth' },
    address: { type: 'text', meaning: 'Street address' },
    suburb: { type: 'text', max: 100, meaning: 'Suburb or town' },
    state: { type: 'text', max: 20, meaning: 'State or region' },
    postcode: { type: 'text', max: 12, meaning: 'Postcode' },
    mobile: {
      type: 'text',
      max: 40,
      meaning:
        'Mobile number as the pharmacy holds it; one with words beside it, such as whose it is, with a second number, or made up, such as 0400 000 000, gets no texts',
    },
    email: { type: 'text', max: 254, meaning: 'Email address; one made up, such as none@none.com, gets no emails' },
    facility: {
      type: 'flag',
      meaning:
        'Lives in a care facility; left out of adherence and of messages. Send 1 too for what is no patient, such as an imprest or cash sales; a name that says so, or (DOG), counts as 1',
    },
    deceased_on: {
      type: 'date',
      meaning:
        'Date of death; somebody without one whose name says so, such as (DECEASED), counts as dead from the day that was first read',
    },
    sms_opt_out: {
      type: 'flag',
      meaning: 'Opted out of texts in the dispensing system; so is somebody whose name says (NO SMS) or DNC',
    },
    email_opt_out: {
      type: 'flag',
      meaning: 'Opted out of email in the dispensing system; so is somebody whose name says (NO EMAIL) or DNC',
    },
  },
  prescribers: {
    prescriber_id: { type: 'id', required: true, meaning: "The pharmacy's own prescriber number" },
    name: { type: 'text', meaning: 'Name' },
    number: { type: 'text', max: 40, meaning: 'Prescriber number' },
    specialty: { type: 'text', max: 100, meaning: 'Specialty' },
    postcode: { type: 'text', max: 12, meaning: 'Postcode' },
  },
  drugs: {
    drug_id: { type: 'id', required: true, meaning: "The pharmacy's own drug code" },
    pbs_code: { type: 'text', max: 20, meaning: 'PBS item code' },
    name: { type: 'text', required: true, meaning: 'Product name' },
    molecule: {
      type: 'text',
      meaning: 'Active ingredients, joined by " + " when several, or by "(&)" as the PBS joins packs of two medicines',
    },
    strength: { type: 'text', max: 100, meaning: 'Strength' },
    form: { type: 'text', max: 100, meaning: 'Form' },
    pack_size: { type: 'integer', meaning: 'Units in a pack' },
    atc: { type: 'text', max: 7, meaning: 'ATC code, five levels where known' },
    schedule: { type: 'text', max: 20, meaning: 'Poisons schedule, such as S4 or S8' },
    chronic: { type: 'flag', meaning: 'Taken continuously; empty means judge by the ATC code' },
    default_days: { type: 'integer', meaning: "Days' supply of one pack at the usual dose" },
  },
  prescriptions: {
    prescription_id: { type: 'id', required: true, meaning: 'Prescription number' },
    patient_id: { type: 'id', required: true, meaning: 'Whose' },
    prescriber_id: { type: 'id', meaning: 'By whom' },
    drug_id: { type: 'id', required: true, meaning: 'For what' },
    prescribed_on: { type: 'date', meaning: 'Date of prescribing' },
    repeats_authorised: { type: 'integer', meaning: 'Repeats authorised: 5 means six supplies in all' },
    authority: { type: 'text', max: 40, meaning: 'Authority number' },
    outside: { type: 'flag', meaning: 'The original was dispensed at another pharmacy' },
    original_pharmacy: { type: 'text', meaning: 'Where the original was dispensed' },
    ceased_on: { type: 'date', meaning: 'Date the prescriber or pharmacist recorded the medicine as ceased' },
  },
  scripts: {
    script_id: { type: 'id', required: true, meaning: 'Dispense number: one line of the dispensing record' },
    dispensed_on: { type: 'date', required: true, meaning: 'Date of supply' },
    patient_id: { type: 'id', required: true, meaning: 'Whose' },
    prescriber_id: { type: 'id', meaning: 'By whom' },
    drug_id: { type: 'id', required: true, meaning: 'What' },
    prescription_id: { type: 'id', meaning: 'On which prescription' },
    units: { type: 'quantity', meaning: 'Units supplied, such as tablets' },
    supply_number: { type: 'integer', meaning: '1 for the original, 2 for the first repeat' },
    repeats_authorised: {
      type: 'integer',
      meaning: 'Repeats authorised; where it is empty, those of its prescription',
    },
    repeats_left: { type: 'integer', meaning: 'Repeats left after this supply; used where supply_number is empty' },
    patient_type: {
      type: 'patient_type',
      meaning: `Who pays. Australia: ${PATIENT_TYPES_OF.AU.join(', ')}; United Kingdom: ${PATIENT_TYPES_OF.GB.join(', ')}; United States: ${PATIENT_TYPES_OF.US.join(', ')}`,
    },
    deferred: { type: 'flag', meaning: 'Put on file, nothing supplied' },
    owing: { type: 'flag', meaning: 'Supplied before the script arrived' },
    reversed: { type: 'flag', meaning: 'Cancelled afterwards' },
    patient_price: { type: 'money', meaning: 'What the patient paid; negative for a refund' },
    government_amount: { type: 'money', meaning: 'What the government reimburses; negative where it takes back' },
    cost: { type: 'money', meaning: 'What the stock cost the pharmacy' },
    directions: { type: 'text', max: 400, meaning: 'Dose directions as printed on the label' },
    days_supply: { type: 'integer', meaning: "Days' supply, where the system records it" },
  },
  stock: {
    drug_id: { type: 'id', required: true, meaning: 'What' },
    on_hand: { type: 'quantity', required: true, meaning: 'Units on hand' },
    counted_on: { type: 'date', meaning: 'Date of the figure' },
  },
  s8_products: {
    product_id: { type: 'id', required: true, meaning: "The register's own product code" },
    name: { type: 'text', required: true, meaning: 'Product with strength and form' },
    brand: { type: 'text', max: 100, meaning: 'Brand' },
    unit: { type: 'text', max: 20, meaning: 'What is counted: tablets, mL, patches' },
    otp: { type: 'flag', meaning: 'Opioid Treatment Program medication' },
    cannabis: { type: 'flag', meaning: 'Medicinal cannabis' },
    custom: { type: 'flag', meaning: 'Product that the pharmacy added itself' },
    inactive: { type: 'flag', meaning: 'No longer kept' },
  },
  s8_transactions: {
    transaction_id: {
      type: 'serial',
      required: true,
      meaning: 'Running number of the register: entries of a product follow one another by it',
    },
    product_id: { type: 'id', required: true, meaning: 'What' },
    entry_type: { type: 'entry_type', required: true, meaning: `Kind of entry: ${ENTRY_TYPE_NAMES.join(', ')}` },
    occurred_at: { type: 'time', required: true, meaning: 'Date and time of the entry, by the pharmacy’s clock' },
    name: { type: 'text', meaning: 'Patient, supplier or pharmacy' },
    address: { type: 'text', max: 300, meaning: 'Address of the patient, supplier or pharmacy' },
    patient_id: { type: 'text', meaning: "The pharmacy's own patient number" },
    quantity_in: { ...REGISTER_QUANTITY, meaning: 'Units in' },
    quantity_out: { ...REGISTER_QUANTITY, meaning: 'Units out' },
    balance: {
      ...REGISTER_QUANTITY,
      meaning: 'Balance after the entry as the register states it; empty when no balance was recorded',
    },
    counted: { ...REGISTER_QUANTITY, meaning: 'Units counted, for a stocktake (count)' },
    balance_check: {
      type: 'balance_check',
      meaning: `How the register recorded its balance check: ${BALANCE_CHECKS.join(', ')}`,
    },
    reference: { type: 'text', max: 60, meaning: 'Number of the script, invoice or order' },
    prescribed: { ...REGISTER_QUANTITY, meaning: 'Units prescribed in all, for a partial supply' },
    pharmacist: { type: 'text', required: true, max: 100, meaning: 'Who signed the entry' },
    intern: { type: 'flag', meaning: 'The signer is an intern, so a pharmacist must countersign' },
    second_signer: { type: 'text', max: 100, meaning: 'Countersignature, or the witness of a destruction' },
    doctor: { type: 'text', meaning: 'Prescriber' },
    note: { type: 'text', max: 500, meaning: 'Note; the reason of an adjustment or a reversal' },
    refers_to: {
      type: 'serial',
      meaning: 'Number of the earlier entry of the same product that this one closes, countersigns or reverses',
    },
  },
  s8_status: {
    taken_at: { type: 'time', required: true, meaning: 'When the counts were taken, by the pharmacy’s clock' },
    incoming_scripts: { type: 'integer', meaning: 'Scripts waiting to be entered' },
    incoming_invoices: { type: 'integer', meaning: 'Invoices waiting to be entered' },
    active_odt_patients: {
      type: 'integer',
      meaning: 'Patients with an oral dose or a valid script for one in 30 days',
    },
    pending_odt_claims: { type: 'integer', meaning: 'Patients with claimable doses last month, not claimed yet' },
    active_ss_patients: { type: 'integer', meaning: 'Patients of staged supply' },
  },
} as const satisfies Record<UploadSet, Record<string, ColumnRule>>

/** The columns of one set in their documented order. */
export function columnsOf(set: UploadSet): readonly (readonly [name: string, rule: ColumnRule])[] {
  return Object.entries(CANONICAL_FORMAT[set] as Record<string, ColumnRule>)
}
