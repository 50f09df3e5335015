/** Lanczos coefficients, g = 7. Source: C. Lanczos, SIAM J. Numer. Anal. B 1 (1964) 86-96; values of P. Godfrey. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
]

/** ln Γ(x) for x > 0.5. */
function lnGamma(x: number): number {
  const at = x - 1
  const base = at + 7.5
  const sum = LANCZOS.reduce((total, value, index) => (index === 0 ? value : total + value / (at + index)), 0)
  return 0.5 * Math.log(2 * Math.PI) + (at + 0.5) * Math.log(base) - base + Math.log(sum)
}

const SMALL = 1e-300
const away = (value: number) => (Math.abs(value) < SMALL ? SMALL : value)

/** The continued fraction of the incomplete beta function by Lentz's method. Source: Abramowitz and Stegun 26.5.8. */
function betaFraction(a: number, b: number, x: number): number {
  let c = 1
  let d = 1 / away(1 - ((a + b) * x) / (a + 1))
  let value = d
  for (let m = 1; m < 1000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / away(1 + even * d)
    c = away(1 + even / c)
    value *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / away(1 + odd * d)
    c = away(1 + odd / c)
    value *= d * c
    if (Math.abs(d * c - 1) < 1e-15) break
  }
  return value
}

/** The regularised incomplete beta function I_x(a, b), 0 < x < 1. */
function incompleteBeta(x: number, a: number, b: number): number {
  const front = Math.exp(lnGamma(a + b) - lnGamma(a) - lnGamma(b) + a * Math.log(x) + b * Math.log1p(-x))
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(a, b, x)) / a : 1 - (front * betaFraction(b, a, 1 - x)) / b
}

/** P(|T| > t) of Student's t. */
const tails = (t: number, df: number) => incompleteBeta(df / (df + t * t), df / 2, 0.5)

/**
 * The 97.5% quantile of Student's t, for a two-sided 95% interval.
 * @param df degrees of freedom, at least 2; need not be whole
 */
export function t975(df: number): number {
  let low = 1.9
  let high = 5
  // After 60 halvings the interval of 3.1 is narrower than a double can resolve.
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (tails(middle, df) > 0.05) low = middle
    else high = middle
  }
  return (low + high) / 2
}
