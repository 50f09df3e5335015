/** Words of offers: a text that has one is marketing by law, whatever its template is called. */
const OFFER =
  /\d+ ?(?:%|per ?cent) (?:off|discount)|[$£€] ?\d+(?:\.\d\d)? off|\bdiscount\w*|\bspecial offers?\b|\bspecials\b|\bon sale\b|\bsale (?:now|ends|starts)\b|\bsave (?:up to )?[$£€]? ?\d+|\bhalf[- ]price\b|\bfree gifts?\b|\bbuy (?:one|two|1|2)\b|\bvouchers?\b|\bcoupons?\b|\bbonus points\b|\bgiveaway\b|\bpromo(?:tion\w*| codes?)?\b/i

/** The words by which a message text reads like an offer, such as '20% off'; null where none do. A hint to whoever writes it, no proof. */
export function offerIn(text: string): string | null {
  return OFFER.exec(text)?.[0] ?? null
}
