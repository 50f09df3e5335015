import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mutant } from './lines.ts'

/** The name of a mutant in reports: its file and the first line it changes. */
export const nameOf = ({ file, line, becomes }: Mutant): string =>
  `${file}: ${line.trim().split('\n')[0]} → ${becomes.trim().split('\n')[0] || 'nothing'}`

/** What is wrong with an entry of the list, or null: its line must occur exactly once in its file, and its tests must exist. */
export function wrongWith(mutant: Mutant, root = '.'): string | null {
  const path = join(root, mutant.file)
  if (!existsSync(path)) return `${nameOf(mutant)}: the file is gone`
  const times = readFileSync(path, 'utf8').split(mutant.line).length - 1
  if (times !== 1) return `${nameOf(mutant)}: its line stands ${times} times in the file, not once`
  if (mutant.line === mutant.becomes) return `${nameOf(mutant)}: changes nothing`
  const gone = mutant.tests.filter((test) => !existsSync(join(root, test)))
  return gone.length > 0 || mutant.tests.length === 0 ? `${nameOf(mutant)}: no test ${gone.join(', ')}` : null
}

/** The file's text with the mutant applied. */
export const mutate = (text: string, { line, becomes }: Mutant): string => text.split(line).join(becomes)
