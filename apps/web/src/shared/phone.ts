import type { Country } from '@pillar/domain/time/locale'

/**
 * A number in the country's usual format. Great Britain: 0800 123 4567, 020 7946 0018, 01632 960 960. Australian mobiles: 0491 570 006. United
 * States: (212) 555-0123. A number in no known form is shown as given.
 */
export function phoneText(phone: string, country: Country): string {
  const digits = phone.replaceAll(/\D/g, '')
  if (country === 'AU') {
    const mobile = /^(?:61|0)(4\d\d)(\d{3})(\d{3})$/.exec(digits)
    return mobile ? `0${mobile[1]} ${mobile[2]} ${mobile[3]}` : phone
  }
  if (country === 'US') {
    const local = /^1?([2-9]\d\d)([2-9]\d\d)(\d{4})$/.exec(digits)
    return local ? `(${local[1]}) ${local[2]}-${local[3]}` : phone
  }
  return british(digits.replace(/^44(?=\d{9,10}$)/, '0')) ?? phone
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
