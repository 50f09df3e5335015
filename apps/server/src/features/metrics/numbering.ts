/** Spreads ids that lie close together over a table (Knuth, The Art of Computer Programming 3, 6.4). */
const SPREAD = 2_654_435_761

/** Numbers ids in order of arrival, from 0 on. A custom hash table, because a Map of a hundred thousand ids takes several times as long. */
export class Numbering {
  /** Ids by their number. */
  #ids = new Float64Array(512)
  /** One more than an id's number, in the first free place from its own on; 0 is free. */
  #places = new Int32Array(1024)
  #count = 0

  get count(): number {
    return this.#count
  }

  /** The id with this number. */
  idOf(number: number): number | undefined {
    return number < this.#count ? this.#ids[number] : undefined
  }

  /** The number of an id; -1 if it has none. */
  find(id: number): number {
    return (this.#places[this.#placeOf(id)] as number) - 1
  }

  /** The number of an id, which gets one if it has none. */
  numberOf(id: number): number {
    const place = this.#placeOf(id)
    const known = this.#places[place] as number
    if (known > 0) return known - 1
    if (this.#count === this.#ids.length) {
      this.#grow()
      return this.numberOf(id)
    }
    this.#ids[this.#count] = id
    this.#places[place] = ++this.#count
    return this.#count - 1
  }

  /** Where an id is, or belongs. */
  #placeOf(id: number): number {
    const last = this.#places.length - 1
    let place = Math.imul(id, SPREAD) & last
    for (;;) {
      const number = this.#places[place] as number
      if (number === 0 || this.#ids[number - 1] === id) return place
      place = (place + 1) & last
    }
  }

  /** Doubles the room, so that at most half of the places are taken. */
  #grow(): void {
    const ids = this.#ids
    this.#ids = new Float64Array(ids.length * 2)
    this.#ids.set(ids)
    this.#places = new Int32Array(this.#places.length * 2)
    for (let number = 0; number < this.#count; number++) this.#places[this.#placeOf(ids[number] as number)] = number + 1
  }
}
