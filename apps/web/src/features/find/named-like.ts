/** Without accents, in lower case. */
const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** Items whose name contains every typed word, in any order; names that begin with the typed text come first. All if nothing is typed. */
export function namedLike<T extends { name: string }>(all: readonly T[], typed: string): T[] {
  const wanted = plain(typed).trim()
  const words = wanted.split(/\s+/).filter(Boolean)
  const found = all.filter(({ name }) => {
    const has = plain(name)
    return words.every((word) => has.includes(word))
  })
  const first = ({ name }: T) => Number(!plain(name).startsWith(wanted))
  return found.toSorted((a, b) => first(a) - first(b) || a.name.localeCompare(b.name, 'en'))
}
