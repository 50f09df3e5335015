import { joined } from '../text/sentence.ts'

/** Where a pharmacy is; any part may be missing. */
interface Address {
  readonly street_address?: string | null
  readonly town?: string | null
  readonly region?: string | null
  readonly postcode?: string | null
}

/** The lines of an address for texts and letters, without empty ones: '12 Sturt Street' and 'Ballarat VIC 3350'. */
export const addressLines = ({ street_address, town, region, postcode }: Address): string[] =>
  [street_address ?? '', [town, region, postcode].filter(Boolean).join(' ')].filter((line) => line !== '')

/** 'Ballarat VIC 3350', to show on a screen. Empty if nothing is known. */
export const townLine = ({ town, region, postcode }: Omit<Address, 'street_address'>): string =>
  joined([town, region, postcode], ' ')

/** '12 Sturt Street, Ballarat VIC 3350', to show on a screen. Empty if nothing is known. */
export const addressLine = (address: Address): string =>
  [joined([address.street_address]), townLine(address)].filter(Boolean).join(', ')
