/** What people put between the digits of a number. */
const BETWEEN = '[\\s().-]*'

/**
 * A gateway's reason without the recipient's number or address, which gateways like to repeat ("550 <ann@mail.example>: user unknown"). Reasons
 * are kept for good, shown and logged. Also without NUL, which UTF-16 is full of and PostgreSQL cannot store.
 * @param contact a number in E.164, or an address. Every usual spelling of a number is found: +61 477 123 987, 61477123987, 0477 123 987
 */
export function withoutContact(words: string, contact: string): string {
  const reason = words.replaceAll('\0', '')
  if (contact.includes('@')) return reason.replaceAll(new RegExp(RegExp.escape(contact), 'gi'), 'the address')
  const digits = contact.replaceAll(/\D/g, '')
  if (digits.length < 8) return reason
  const spelled = (from: number) => [...digits.slice(from)].join(BETWEEN)
  // With its country code of one to three digits, or as dialled at home.
  const home = [1, 2, 3].map((code) => `(?:0${BETWEEN})?${spelled(code)}`)
  return reason.replaceAll(
    new RegExp(`(?<!\\d)(?:(?:\\+|00)?${spelled(0)}|${home.join('|')})(?!\\d)`, 'g'),
    'the number',
  )
}
