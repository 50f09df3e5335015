type Values = Readonly<Record<string, unknown>>

/** Whether a person has changed a field since the form opened. */
export const isChanged = (name: string, mine: Values, opened: Values): boolean =>
  JSON.stringify(mine[name]) !== JSON.stringify(opened[name])

/** Somebody else's newer version with the fields that were changed here: what was not touched stays as they saved it. */
export function merged<V extends Values>(mine: V, opened: V, theirs: V): V {
  const own = Object.entries(mine).filter(([name]) => name !== 'version' && isChanged(name, mine, opened))
  return { ...mine, ...theirs, ...Object.fromEntries(own) }
}
