export interface CheckOption {
  readonly value: string
  readonly label: string
  readonly note?: string
}

/** Options whose label or note holds every word typed. */
export function matching(options: readonly CheckOption[], search: string): readonly CheckOption[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return options
  return options.filter(({ label, note = '' }) => {
    const text = `${label} ${note}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
