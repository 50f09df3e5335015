/**
 * Whether a dispense line is a refund: patient price and government amount together are negative, and the source does not
 * call it reversed (such lines count nowhere). A refund counts in revenue and nowhere else: it is no script, visit, supply,
 * business day, slot or sign that a patient is active. Amounts in cents.
 *
 * @reference
 */
export function isRefund(line: { patientPrice: number; government: number; reversed: boolean }): boolean {
  return !line.reversed && line.patientPrice + line.government < 0
}
