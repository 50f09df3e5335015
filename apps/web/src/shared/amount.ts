/** An amount as its field holds it: a number, text while it is typed ('12.50' until the field is left), empty while there is none. */
export type Amount = number | string

/** The amount that is entered; null for none. */
export const amountOf = (entered: Amount): number | null => (entered === '' ? null : Number(entered))
