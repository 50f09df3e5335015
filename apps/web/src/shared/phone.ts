import { COUNTRIES, type Country } from '@pillar/domain/time/locale'

/** What a number starts with when it is dialled from abroad. */
const DIALLING_CODES: Readonly<Record<Country, string>> = { AU: '61', GB: '44', US: '1' }

/**
 * A number as people in this country write it: 0491 570 006, (02) 5550 4471; 0800 123 4567, 020 7946 0018, 01632 960 960; (212) 555-0123.
 * One of another country as it is dialled from here: +44 7700 900 123. A number in no known form is shown as given.
 */
export function phoneText(phone: string, country: Country): string {
  const digits = phone.replaceAll(/\D/g, '')
  const from = phone.trim().startsWith('+') ? COUNTRIES.find((one) => digits.startsWith(DIALLING_CODES[one])) : country
  const national = from && NATIONAL[from](digits)
  if (!national) return phone
  return from === country ? national : `+${DIALLING_CODES[from]} ${national.replaceAll(/[()]/g, '').replace(/^0/, '')}`
}

const NATIONAL: Readonly<Record<Country, (digits: string) => string | null>> = {
  AU: australian,
  GB: (digits) => british(digits.replace(/^44(?=\d{9,10}$)/, '0')),
  US: american,
}

function australian(digits: string): string | null {
  const mobile = /^(?:61|0)(4\d\d)(\d{3})(\d{3})$/.exec(digits)
  if (mobile) return `0${mobile[1]} ${mobile[2]} ${mobile[3]}`
  const fixed = /^(?:61|0)([2378])(\d{4})(\d{4})$/.exec(digits)
  return fixed ? `(0${fixed[1]}) ${fixed[2]} ${fixed[3]}` : null
}

function american(digits: string): string | null {
  const local = /^1?([2-9]\d\d)([2-9]\d\d)(\d{4})$/.exec(digits)
  return local ? `(${local[1]}) ${local[2]}-${local[3]}` : null
}

function british(digits: string): string | null {
  if (!/^0\d{9,10}$/.test(digits)) return null
  const areaLength = /^02/.test(digits) ? 3 : /^0(?:3|5|8|9|1\d1|11)/.test(digits) ? 4 : 5
  const [area, rest] = [digits.slice(0, areaLength), digits.slice(areaLength)]
  const tail = rest.length > 6 ? 4 : 3
  return [area, rest.slice(0, -tail), rest.slice(-tail)].join(' ')
}

/** The dialling form for a phone: digits and a leading plus. */
export function phoneLink(phone: string): string {
  return `tel:${phone.replaceAll(/[^\d+]/g, '')}`
}
