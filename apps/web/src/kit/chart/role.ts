/** The value of a role such as '--d1' in the current theme. */
export const roleOf = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
