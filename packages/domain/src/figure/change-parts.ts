/** A product's scripts and revenue, in cents, a year earlier and now. */
export interface ProductChange {
  readonly before: { readonly scripts: number; readonly cents: number }
  readonly now: { readonly scripts: number; readonly cents: number }
}

/** The causes of a change in revenue, in whole cents; the three add up to it exactly. */
export interface ChangeParts {
  /** More or fewer scripts, at the mean revenue per script of a year earlier (Laspeyres). */
  readonly volume: number
  /** Revenue per script of each product, over current scripts (Paasche); a product sold in only one of the years has no price change. */
  readonly price: number
  /** The rest: dearer or cheaper products, products begun or ended, and refunds of products without a script. */
  readonly mix: number
}

/** Digits of a sum of fractions that do not depend on the order of adding, so that the order never decides half a cent. */
const SURE_DIGITS = 4

/**
 * Splits a pharmacy's change of revenue. Volume and price are each rounded to the cent once; mix is the rest.
 * Source: the price and quantity indices of Laspeyres and Paasche, as in the System of National Accounts.
 */
export function changeParts(products: Iterable<ProductChange>): ChangeParts {
  let change = 0
  let price = 0
  const all = { before: { scripts: 0, cents: 0 }, now: { scripts: 0, cents: 0 } }
  for (const { before, now } of products) {
    for (const [sum, part] of [[all.before, before] as const, [all.now, now] as const]) {
      sum.scripts += part.scripts
      sum.cents += part.cents
    }
    change += now.cents - before.cents
    if (before.scripts > 0 && now.scripts > 0) price += now.cents - (before.cents * now.scripts) / before.scripts
  }
  const perScript = all.before.scripts === 0 ? 0 : all.before.cents / all.before.scripts
  const volume = Math.round((all.now.scripts - all.before.scripts) * perScript)
  price = Math.round(Number(price.toFixed(SURE_DIGITS)))
  return { volume, price, mix: change - volume - price }
}
