import type { Country } from '@pillar/domain/time/locale'

/**
 * A support number as people of the country write it. Great Britain: 0800 123 4567, 020 7946 0018, 01632 960 960.
 * A number that fits no known form is shown as it was configured.
 */
export function phoneText(phone: string, country: Country): string {
  if (country !== 'GB') return phone
  const digits = phone.replaceAll(/\D/g, '').replace(/^44(?=\d{9,10}$)/, '0')
  if (!/^0\d{9,10}$/.test(digits)) return phone
  const areaLength = /^02/.test(digits) ? 3 : /^0(?:3|5|8|9|1\d1|11)/.test(digits) ? 4 : 5
  const [area, rest] = [digits.slice(0, areaLength), digits.slice(areaLength)]
  const tail = rest.length > 6 ? 4 : 3
  return [area, rest.slice(0, -tail), rest.slice(-tail)].join(' ')
}

/** What a phone dials: digits and a leading plus. */
export function phoneLink(phone: string): string {
  return `tel:${phone.replaceAll(/[^\d+]/g, '')}`
}

/** A web address without its scheme, for reading. */
export function websiteText(website: string): string {
  return website.replace(/^https?:\/\//, '').replace(/\/$/, '')
}

/** A web address that can be followed; a scheme that is not http(s) is no link. */
export function websiteLink(website: string): string {
  return /^https?:\/\//.test(website) ? website : `https://${website}`
}
