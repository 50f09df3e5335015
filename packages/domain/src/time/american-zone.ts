import { zoneOf } from './zone.ts'

/** Part of a state that keeps another time than most of it: from and to, in degrees of latitude and longitude. */
type Part = readonly [state: string, zone: string, lat: readonly [number, number], long: readonly [number, number]]

const [EASTERN, CENTRAL, MOUNTAIN] = ['America/New_York', 'America/Chicago', 'America/Denver'] as const

/**
 * The borders of 49 CFR part 71, as rectangles that sort the centres of ZIP codes: a small place beside a border may be on the wrong side.
 * In Arizona, the Navajo Nation without the Hopi Reservation, because it keeps daylight saving time.
 */
const PARTS: readonly Part[] = [
  ['AZ', MOUNTAIN, [36, 37.01], [-111.3, -109]],
  ['AZ', MOUNTAIN, [35.5, 36], [-109.9, -109]],
  ['FL', CENTRAL, [29.9, 31.1], [-88, -84.97]],
  ['ID', 'America/Los_Angeles', [45.5, 49.1], [-117.3, -114.4]],
  ['IN', CENTRAL, [41.2, 41.9], [-87.6, -86.5]],
  ['IN', CENTRAL, [40.7, 41.2], [-87.6, -87.1]],
  ['IN', CENTRAL, [38.2, 38.53], [-88.2, -87.32]],
  ['IN', CENTRAL, [37.7, 38.2], [-88.2, -86.46]],
  ['KS', MOUNTAIN, [37.75, 39.57], [-102.1, -101.45]],
  ['KY', CENTRAL, [37.9, 39.2], [-89.6, -86.4]],
  ['KY', CENTRAL, [37.4, 37.9], [-89.6, -86.1]],
  ['KY', CENTRAL, [37.2, 37.4], [-89.6, -85.42]],
  ['KY', CENTRAL, [36.4, 37.2], [-89.6, -85]],
  ['MI', CENTRAL, [45, 46.35], [-90.5, -87.4]],
  ['MI', CENTRAL, [46.35, 46.6], [-90.5, -89.7]],
  ['ND', MOUNTAIN, [45.9, 46.9], [-104.1, -101.84]],
  ['ND', MOUNTAIN, [46.9, 47.45], [-104.1, -102.1]],
  ['NE', MOUNTAIN, [40, 43.1], [-104.1, -101.25]],
  ['NV', MOUNTAIN, [40.6, 40.9], [-114.2, -114]],
  ['OR', MOUNTAIN, [42.3, 44.3], [-118.2, -116.5]],
  ['SD', MOUNTAIN, [44.3, 46], [-104.1, -100.5]],
  ['SD', MOUNTAIN, [42.9, 44.3], [-104.1, -101]],
  ['TN', EASTERN, [35.75, 36.7], [-84.8, -81.6]],
  ['TN', EASTERN, [35.4, 35.75], [-85.1, -81.6]],
  ['TN', EASTERN, [34.9, 35.4], [-85.48, -81.6]],
  ['TX', MOUNTAIN, [28, 32.1], [-106.7, -104.9]],
]

/** The IANA zone of a place in the United States: its state's, except in parts of states with two. @param state two letters */
export function americanZone(state: string, at: { latitude: number; longitude: number }): string {
  const within = ([from, to]: readonly [number, number], value: number) => value >= from && value < to
  const part = PARTS.find(([of, , lat, long]) => of === state && within(lat, at.latitude) && within(long, at.longitude))
  return part ? part[1] : zoneOf('US', state)
}
