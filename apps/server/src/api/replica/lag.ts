/** A position in the database's log, '16/B374D848', as the number of bytes before it. */
export function bytesOf(position: string): number {
  const [high = '', low = ''] = position.split('/')
  return Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16)
}

/** Beyond this many readings, every other one is dropped: a long lag need not be exact to the second. */
const MOST_LOOKS = 2_000

/**
 * How far a replica is behind, from readings of both servers. A replica knows the time of the newest commit it shows, which says nothing
 * while nobody writes. So the lag counts from when the primary was last seen at the replica's present position.
 */
export class Lag {
  #looks: { at: number; bytes: number }[] = []

  /**
   * @param at when the primary was read, ms
   * @param primary its position then, bytes
   * @param replica the replica's position after that, bytes
   * @param shown seconds since the newest commit the replica shows; used until the primary has been seen at the replica's position
   * @returns seconds and bytes behind, both 0 when it shows all the primary had
   */
  note(at: number, primary: number, replica: number, shown: number | null): { seconds: number; bytes: number } {
    this.#looks.push({ at, bytes: primary })
    const reached = this.#looks.findLastIndex((look) => look.bytes <= replica)
    if (reached > 0) this.#looks = this.#looks.slice(reached)
    if (this.#looks.length > MOST_LOOKS) this.#looks = this.#looks.filter((_, place) => place % 2 === 0)
    if (replica >= primary) return { seconds: 0, bytes: 0 }
    const bytes = primary - replica
    if (reached < 0) return { seconds: shown ?? Number.POSITIVE_INFINITY, bytes }
    return { seconds: (at - this.#looks[0]!.at) / 1000, bytes }
  }
}
