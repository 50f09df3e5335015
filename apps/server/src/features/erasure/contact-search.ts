/**
 * Whether a text contains one of these numbers (digits alone) or addresses, in lower case. A restore may erase a thousand people again, and a
 * hundred thousand letters are searched for them: each is gone through once, not once for each contact.
 */
export function contactSearch(contacts: readonly string[]): (text: string) => boolean {
  const numbers = new Set<string>()
  const byDomain = new Map<string, string[]>()
  for (const one of contacts) {
    const at = one.lastIndexOf('@')
    if (at < 0) numbers.add(one)
    else byDomain.set(one.slice(at + 1), [...(byDomain.get(one.slice(at + 1)) ?? []), one.slice(0, at)])
  }
  const lengths = [...new Set([...numbers].map((one) => one.length))]
  const holdsNumber = (digits: string) =>
    lengths.some((length) => {
      for (let from = 0; from + length <= digits.length; from++)
        if (numbers.has(digits.slice(from, from + length))) return true
      return false
    })
  const holdsAddress = (text: string, at: number) => {
    for (const [domain, names] of byDomain)
      if (text.startsWith(domain, at + 1) && names.some((name) => text.endsWith(name, at))) return true
    return false
  }
  return (text) => {
    for (const [digits] of text.matchAll(/\d+/g)) if (holdsNumber(digits)) return true
    for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) if (holdsAddress(text, at)) return true
    return false
  }
}
