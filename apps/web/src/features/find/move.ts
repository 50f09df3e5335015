/** Where a key leads in a list of so many rows, round and round; null for a key that leads nowhere. */
export function moveIn(key: string, at: number, count: number): number | null {
  if (count === 0) return null
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at + count - 1) % count
  return null
}
