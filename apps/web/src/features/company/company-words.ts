/** The audience of something for all companies: 'all 12 companies'; 'every company' while their number is unknown. */
export function everyCompany(count: number | undefined): string {
  if (count === undefined) return 'every company'
  return count === 1 ? 'the only company' : `all ${count.toLocaleString('en-AU')} companies`
}

/** Who gets something made for some or all companies: '3 of 12 companies get it.' */
export function getsWords(some: number, all: number): string {
  if (all === 1) return 'The only company gets it.'
  if (some === all) return `Each of the ${all.toLocaleString('en-AU')} companies gets it.`
  return `${some.toLocaleString('en-AU')} of ${all.toLocaleString('en-AU')} companies ${some === 1 ? 'gets' : 'get'} it.`
}
