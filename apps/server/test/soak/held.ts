/** What a process holds at a moment, after a full garbage collection. */
export interface Held {
  /** Milliseconds of the epoch. */
  at: number
  /** Bytes of live objects and buffers. */
  living: number
  /** Resident bytes after the collection. */
  resident: number
  /** Resident bytes before it. */
  residentBefore: number
  /** Open files, sockets and pipes. */
  files: number
  /** Timers that are set. */
  timers: number
}

/** What a process that loaded told-memory.ts has printed. */
export const heldIn = (output: string): Held[] =>
  [...output.matchAll(/^held (\{.*\})$/gm)].map(([, json]) => JSON.parse(json!) as Held)
