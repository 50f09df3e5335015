/** Notifies components that something stored outside React has changed (`useSyncExternalStore`). */
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
