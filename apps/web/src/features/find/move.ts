/** The row an arrow key moves to in a list of `count` rows, wrapping around; null for any other key. */
export function moveIn(key: string, at: number, count: number): number | null {
  if (count === 0) return null
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at + count - 1) % count
  return null
}
