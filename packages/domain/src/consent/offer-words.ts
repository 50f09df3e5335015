/** Words of offers. By law, a text with one of them is marketing, whatever its template is called. */
const OFFER =
  /\d+ ?(?:%|per ?cent) (?:off|discount)|[$£€] ?\d+(?:\.\d\d)? off|\bdiscount\w*|\bspecial offers?\b|\bspecials\b|\bon sale\b|\bsale (?:now|ends|starts)\b|\bsave (?:up to )?[$£€]? ?\d+|\bhalf[- ]price\b|\bfree gifts?\b|\bbuy (?:one|two|1|2)\b|\bvouchers?\b|\bcoupons?\b|\bbonus points\b|\bgiveaway\b|\bpromo(?:tion\w*| codes?)?\b/i

/** The words that make a message text read like an offer, such as '20% off'; null if none do. A hint for the author, not a proof. */
export function offerIn(text: string): string | null {
  return OFFER.exec(text)?.[0] ?? null
}
