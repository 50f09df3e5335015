export interface Place {
  /** Degrees, north positive. */
  readonly latitude: number
  /** Degrees, east positive. */
  readonly longitude: number
}

/** Mean radius of the earth (IUGG), in kilometres. */
export const EARTH_RADIUS_KM = 6371.0088
export const KM_PER_MILE = 1.609344

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Great-circle distance in kilometres (haversine on a sphere; within 0.6% of the ellipsoid). */
export function distanceKm(a: Place, b: Place): number {
  const half = (x: number) => Math.sin(x / 2) ** 2
  const h =
    half(radians(b.latitude - a.latitude)) +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * half(radians(b.longitude - a.longitude))
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(h)))
}
