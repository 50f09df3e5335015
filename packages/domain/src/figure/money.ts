/** An amount in currency, rounded to the cent. Removes floating-point remainders (0.30000000000000004) and negative zero. */
export const toTheCent = (amount: number): number => Math.round(amount * 100) / 100 + 0
