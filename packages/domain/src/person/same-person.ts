/** A pharmacy's patient, and the keys that identify them. */
export interface KeyedRecord {
  readonly location: number
  readonly patient: number
  readonly keys: readonly string[]
}

/** A person known at two or more pharmacies, with the one record at each. */
export interface SharedPerson {
  /** The lowest key of their records, which does not depend on the order of the records. */
  readonly person: string
  /** In order of pharmacy. */
  readonly records: readonly KeyedRecord[]
}

/** A "person" known at more pharmacies is an entry such as a clinic, so its records are not joined. */
export const MOST_PHARMACIES = 5

/**
 * The people behind the records of a company. Records that share a key are one person, and so are records joined through others. Two records of
 * one pharmacy are never joined, with each other or with a third: nobody can tell which of them another matches. They stay separate patients,
 * and the others are joined as if they were not there.
 * @returns people of at least two pharmacies, in order of `person`
 */
export function sharedPeople(records: readonly KeyedRecord[]): SharedPerson[] {
  return connected(records)
    .flatMap(peopleOf)
    .sort((a, b) => (a.person < b.person ? -1 : 1))
}

/** Records in groups that share keys, directly or through others. */
function connected(records: readonly KeyedRecord[]): KeyedRecord[][] {
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
  return [...groups.values()].map((members) => members.map((at) => records[at] as KeyedRecord))
}

/** The people of a connected group. */
function peopleOf(records: readonly KeyedRecord[]): SharedPerson[] {
  const at = Map.groupBy(records, (one) => one.location)
  if (at.size < 2 || at.size > MOST_PHARMACIES) return []
  if (at.size < records.length) return sharedPeople(records.filter((one) => at.get(one.location)?.length === 1))
  const person = records.flatMap((one) => one.keys).sort()[0] as string
  return [{ person, records: records.toSorted((a, b) => a.location - b.location) }]
}

/** Every combination of at least two of a person's pharmacies, each in order. */
export function pharmacySets(locations: readonly number[]): number[][] {
  return subsetsOf(locations).filter((set) => set.length > 1)
}

/** Every combination of at least one item of a list, each in its order. */
export function subsetsOf<T>(list: readonly T[]): T[][] {
  return Array.from({ length: 2 ** list.length - 1 }, (_, at) => list.filter((_one, bit) => ((at + 1) >> bit) & 1))
}
