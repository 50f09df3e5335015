import type { S8Attention, S8Entry, S8Product, S8Stats } from '@pillar/contract/s8-row'
import { ATTENTION_WORDS, type ChainFault, chainFaultWords } from '@pillar/domain/s8/attention'
import { entryLabel } from '@pillar/domain/s8/entry'
import { sentOr } from '@pillar/domain/s8/treatment'
import { capital } from '@pillar/domain/text/sentence'
import type { AttentionRow } from './attention.queries.ts'
import type { EntryRow } from './drug-register.queries.ts'
import type { ProductRow } from './product.queries.ts'
import type { StatsRow } from './s8.queries.ts'

export const checkAnswer = (found?: {
  checked_at: Date | null
  checked_entries: number | null
  fault: unknown
}): S8Stats['check'] => ({
  checked_at: found?.checked_at?.toISOString() ?? null,
  entries: Number(found?.checked_entries ?? 0),
  fault: found?.fault ? `${capital(chainFaultWords(found.fault as ChainFault))}.` : null,
})

const ownerAnswer = (owner: StatsRow['owner']): S8Stats['owner'] =>
  owner && {
    email: owner.email,
    person: { personal_information: { first_name: owner.first_name, last_name: owner.last_name } },
  }

/** A pharmacy's row in the contract's form. */
export const statsAnswer = (row: StatsRow): S8Stats => ({
  id: row.location.uuid,
  location: row.location,
  owner: ownerAnswer(row.owner),
  last_stocktake_taken_on: row.last_stocktake_taken_on,
  overdue_products_count: row.overdue,
  incoming_script_count: row.incoming_scripts,
  incoming_invoice_count: row.incoming_invoices,
  owing_script_count: row.owing,
  pending_partial_supplies_count: row.partial,
  pending_countersigned_count: row.countersigns,
  pending_destruction_count: row.destructions,
  active_opioid_replacement_oral_patient_count: sentOr(row.sent_odt, row.dosed) ?? 0,
  pending_opioid_replacement_oral_claim_count: row.odt_claims,
  active_staged_supply_patient_count: sentOr(row.sent_ss, row.staged) ?? 0,
  upload_time: row.upload_time?.toISOString() ?? null,
  check: checkAnswer(row),
})

/** A product in the contract's form. */
export const productAnswer = ({ otp, cannabis, custom, inactive, ...row }: ProductRow): S8Product => ({
  ...row,
  tags: { otp, cannabis, custom, inactive },
})

/** An entry in the contract's form. */
export const entryAnswer = (row: EntryRow): S8Entry => ({
  transaction_product_id: row.number,
  date: row.at.toISOString(),
  product_name: row.product_name,
  balance_check_status: row.balance_check,
  entry_type: row.entry_type,
  action: entryLabel(row.entry_type),
  name: row.name,
  address: row.address,
  in: row.quantity_in,
  out: row.quantity_out,
  balance: row.balance,
  stated_balance: row.stated,
  reference_number: row.reference,
  pharmacist: row.pharmacist,
  second_signer: row.second_signer,
  waits_for_countersign: row.waits,
  erased: row.erased,
  doctor: row.doctor,
  note: row.note,
})

/** An item that needs attention, with what is wrong and what to do in words. */
export const attentionAnswer = (row: AttentionRow): S8Attention => ({
  id: [row.kind, row.uuid, row.product_id, row.number].join(':'),
  kind: row.kind,
  location: { uuid: row.uuid, name: row.pharmacy, time_zone: row.time_zone },
  owner: ownerAnswer(row.owner),
  product_id: row.product_id,
  product_name: row.product_name,
  transaction_product_id: row.number,
  what: whatIsWrong(row),
  next_step: ATTENTION_WORDS[row.kind].next,
  since: row.since,
  days: row.days,
})

function whatIsWrong({ kind, fault, number, stated, balance, pharmacist }: AttentionRow): string {
  switch (kind) {
    case 'chain':
      return fault ? `${capital(chainFaultWords(fault))}.` : ATTENTION_WORDS.chain.label
    case 'contradiction':
      return `Transaction ${number} was sent again and says something else. The first stands.`
    case 'balance':
      return stated === null
        ? `The balance was recorded as incorrect at transaction ${number}, by ${pharmacist}.`
        : `${stated} recorded where ${balance} should be, at transaction ${number} by ${pharmacist}.`
    case 'countersign':
      return `Transaction ${number} of the intern ${pharmacist} has no second signature.`
    case 'late':
      return 'The count is overdue.'
    case 'silent':
      return 'No register has arrived for several business days.'
  }
}
