/** The value of an amount field: a number, text while typing ('12.50' until the field is left), or empty. */
export type Amount = number | string

/** The entered amount; null for none. */
export const amountOf = (entered: Amount): number | null => (entered === '' ? null : Number(entered))
