import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DISPENSING_SETS, type DispensingSet } from '@pillar/domain/upload/upload-format'
import { type GenerateRange, generatePharmacy } from './generate.ts'
import type { DemoNetwork } from './network.ts'
import { keepsRegister, registerFiles } from './s8/register.ts'

/** Writes one upload of a pharmacy as {set}.csv files into a folder, created if missing, and returns the rows per set. */
export function writePharmacy(
  network: DemoNetwork,
  pharmacyIndex: number,
  folder: string,
  range: GenerateRange = {},
): Record<DispensingSet, number> {
  mkdirSync(folder, { recursive: true })
  const files = new Map(DISPENSING_SETS.map((set) => [set, openSync(join(folder, `${set}.csv`), 'w')]))
  try {
    const chunks = generatePharmacy(network, pharmacyIndex, range)
    for (;;) {
      const step = chunks.next()
      if (step.done) {
        writeRegister(network, pharmacyIndex, folder, range)
        return step.value
      }
      writeSync(files.get(step.value.set) as number, step.value.text)
    }
  } finally {
    for (const file of files.values()) closeSync(file)
  }
}

/** Writes the files of its register of Schedule 8 medicines beside the others, if it keeps one. */
function writeRegister(network: DemoNetwork, index: number, folder: string, range: GenerateRange): void {
  const pharmacy = network.pharmacies[index]
  if (!pharmacy || !keepsRegister(pharmacy)) return
  const files = registerFiles(network, pharmacy, {
    from: range.from ?? network.from,
    to: range.to ?? pharmacy.last_day,
  })
  for (const [set, text] of Object.entries(files)) writeFileSync(join(folder, `${set}.csv`), text)
}
