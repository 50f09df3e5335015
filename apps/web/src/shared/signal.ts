/** Tells whoever shows something kept outside React that it changed (`useSyncExternalStore`). */
export function signal() {
  const listeners = new Set<() => void>()
  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    announce(): void {
      for (const listener of listeners) listener()
    },
  }
}
