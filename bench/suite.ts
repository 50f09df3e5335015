import type { LargeNetwork } from './large.ts'

/** What a suite gets: its scale, a place for files, and the large network, loaded at its first use. */
export interface Bench {
  scale: number
  /** A new folder that is removed at the end. */
  folder: (name: string) => Promise<string>
  large: () => Promise<LargeNetwork>
  say: (line: string) => void
}
