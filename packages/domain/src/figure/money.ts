/** An amount in currency, to the cent: what floating point adds or leaves (0.30000000000000004) goes, and so does a negative zero. */
export const toTheCent = (amount: number): number => Math.round(amount * 100) / 100 + 0
