import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { NetworkSize } from '@pillar/demo/network'
import { replaceFile } from '../../../db/field/key-file.ts'
import type { Uplift } from '../demo-reaction.ts'

/** What the demo network needs to continue at a later start: its world, and the keys its pharmacies upload with. */
export interface DemoMemory {
  size: NetworkSize
  today: string
  keys: Record<string, string>
  /** The last day of each pharmacy's uploads, by its folder name. */
  reached: Record<string, string>
  /** Its campaigns of the past weeks have been sent. */
  lived?: boolean
  /** The effect of its patients' reaction, by the campaign's id. */
  uplift?: Record<string, Uplift>
  /** The contents of the support console exist. */
  console?: boolean
  /** Its late pharmacies are late, and support is working on them. */
  faulty?: boolean
  /** Its registers are anchored, one is late, and an entry of one was altered. */
  registers?: boolean
}

const fileOf = (dataDir: string) => resolve(dataDir, 'demo.json')

/** The memory of an earlier start; null if there is no demo network. @throws Error with a sentence when the file is cut short */
export async function readMemory(dataDir: string): Promise<DemoMemory | null> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => null)
  try {
    return text === null ? null : (JSON.parse(text) as DemoMemory)
  } catch {
    throw new Error(
      `${fileOf(dataDir)} is not whole, so the demo network cannot go on. Put it back, or begin anew: see docs/operations.md, The demo network.`,
    )
  }
}

/** Whole on disk or unchanged, even if Pillar is killed meanwhile. */
export const keepMemory = (dataDir: string, memory: DemoMemory): Promise<void> =>
  replaceFile(fileOf(dataDir), JSON.stringify(memory))
