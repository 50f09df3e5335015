/** The column and row of Australia's states and territories, arranged so that neighbours touch. */
const PLACES: Record<string, Place> = {
  NT: [2, 1],
  QLD: [3, 1],
  WA: [1, 2],
  SA: [2, 2],
  NSW: [3, 2],
  ACT: [4, 2],
  VIC: [3, 3],
  TAS: [3, 4],
}
const ROWS = 4
const ACROSS = 4

/** Column and row of a tile, from 1. */
export type Place = readonly [column: number, row: number]

/** The positions of the tiles: areas on the map in their places, others in reading order below, or from the top if none is on the map. */
export function tilePlaces(codes: readonly string[]): Place[] {
  const others = codes.filter((code) => !PLACES[code])
  const above = others.length < codes.length ? ROWS : 0
  return codes.map((code) => {
    const at = others.indexOf(code)
    return PLACES[code] ?? [1 + (at % ACROSS), 1 + above + Math.floor(at / ACROSS)]
  })
}
