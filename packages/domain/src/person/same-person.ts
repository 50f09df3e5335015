/** A patient of a pharmacy, and the keys it is recognised by. */
export interface KeyedRecord {
  readonly location: number
  readonly patient: number
  readonly keys: readonly string[]
}

/** A person known at two or more pharmacies, with the one record at each. */
export interface SharedPerson {
  /** The lowest key of their records: the same whatever order the records came in. */
  readonly person: string
  /** In order of their pharmacies. */
  readonly records: readonly KeyedRecord[]
}

/** Who is known at more pharmacies than this is no person but an entry, such as a clinic: not joined. */
export const MOST_PHARMACIES = 5

/**
 * The people behind the records of a company. Records with a common key are one person, and so are those joined through others. Two records
 * of one pharmacy are never joined: whoever would be joined to both is left as separate patients, since nobody can tell which is theirs.
 * @returns people of at least two pharmacies, in order of `person`
 */
export function sharedPeople(records: readonly KeyedRecord[]): SharedPerson[] {
  const parent = records.map((_, at) => at)
  const root = (at: number): number => {
    let top = at
    while (parent[top] !== top) top = parent[top] as number
    parent[at] = top
    return top
  }
  const holder = new Map<string, number>()
  for (const [at, { keys }] of records.entries())
    for (const key of keys) {
      const known = holder.get(key)
      if (known === undefined) holder.set(key, at)
      else parent[root(at)] = root(known)
    }
  const groups = Map.groupBy(records.keys(), root)
  return [...groups.values()]
    .flatMap((members) => personOf(members.map((at) => records[at] as KeyedRecord)) ?? [])
    .sort((a, b) => (a.person < b.person ? -1 : 1))
}

function personOf(records: readonly KeyedRecord[]): SharedPerson | null {
  const pharmacies = new Set(records.map((one) => one.location))
  if (records.length < 2 || pharmacies.size < records.length || records.length > MOST_PHARMACIES) return null
  const person = records.flatMap((one) => one.keys).sort()[0] as string
  return { person, records: records.toSorted((a, b) => a.location - b.location) }
}

/** Every choice of at least two of a person's pharmacies, each in order. */
export function pharmacySets(locations: readonly number[]): number[][] {
  return subsetsOf(locations).filter((set) => set.length > 1)
}

/** Every choice of at least one of a list, each in its order. */
export function subsetsOf<T>(list: readonly T[]): T[][] {
  return Array.from({ length: 2 ** list.length - 1 }, (_, at) => list.filter((_one, bit) => ((at + 1) >> bit) & 1))
}
