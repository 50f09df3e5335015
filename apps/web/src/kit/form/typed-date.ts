import type { Country } from '@pillar/domain/locale'

/** A date typed in the order of the company's country ('1/12/26', '01.12.2026'), or as '2026-12-01'; null when it is no date. */
export function typedDate(country: Country, typed: string): string | null {
  const parts = typed
    .trim()
    .split(/[\s./-]+/)
    .map(Number)
  if (parts.length !== 3 || !parts.every(Number.isInteger)) return null
  const [a = 0, b = 0, c = 0] = parts
  const yearFirst = a > 31
  const [year, month, date] = yearFirst ? [a, b, c] : country === 'US' ? [c, a, b] : [c, b, a]
  const whole = year < 100 ? 2000 + year : year
  const iso = `${String(whole).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`
  const real = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(real.getTime()) && real.toISOString().startsWith(iso) ? iso : null
}

/** A date as it is typed and shown in a field: '01/12/2026', month first in the US. */
export function fieldDate(country: Country, iso: string): string {
  const [year, month, date] = iso.slice(0, 10).split('-')
  return country === 'US' ? `${month}/${date}/${year}` : `${date}/${month}/${year}`
}
