/** Whom something for all companies is for: 'all 12 companies'; 'every company' while it is not known how many there are. */
export function everyCompany(count: number | undefined): string {
  if (count === undefined) return 'every company'
  return count === 1 ? 'the only company' : `all ${count.toLocaleString('en-AU')} companies`
}

/** Who gets what is made for some of all companies: '3 of 12 companies get it.' */
export function getsWords(some: number, all: number): string {
  if (all === 1) return 'The only company gets it.'
  if (some === all) return `Each of the ${all.toLocaleString('en-AU')} companies gets it.`
  return `${some.toLocaleString('en-AU')} of ${all.toLocaleString('en-AU')} companies ${some === 1 ? 'gets' : 'get'} it.`
}
