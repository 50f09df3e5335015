/** A place in the database's log, '16/B374D848', as the number of bytes before it. */
export function bytesOf(position: string): number {
  const [high = '', low = ''] = position.split('/')
  return Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16)
}

/** Beyond this many looks every other one is dropped: a long lag need not be exact to the second. */
const MOST_LOOKS = 2_000

/**
 * How far a replica is behind, from looks at both servers. A replica tells the time of the newest commit it shows, which says nothing while
 * nobody writes; so what counts is when the primary was last seen where the replica is now.
 */
export class Lag {
  #looks: { at: number; bytes: number }[] = []

  /**
   * @param at when the primary was looked at, ms
   * @param primary where it was then, bytes
   * @param replica where the replica was after that, bytes
   * @param shown seconds since the newest commit the replica shows; used until the primary was seen where the replica is
   * @returns seconds and bytes behind, both 0 when it shows all that the primary had
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
