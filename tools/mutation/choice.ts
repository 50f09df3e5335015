import { parseArgs } from 'node:util'
import type { Mutant } from './lines.ts'

/**
 * The faults that `npm run mutate` is asked for: those numbered `--from` to `--to` whose file has the part in its path.
 * @throws Error with a sentence if there are none, or the words are not understood
 */
export function choose(words: readonly string[], all: readonly Mutant[]): readonly Mutant[] {
  const number = (otherwise: number) => ({ type: 'string', default: String(otherwise) }) as const
  const options = { from: number(1), to: number(all.length) }
  const { values, positionals } = parseArgs({ args: [...words], allowPositionals: true, options })
  const [part = '', ...more] = positionals
  if (more.length > 0) throw new Error(`Give one part of a path, not ${positionals.length}: ${positionals.join(', ')}`)
  for (const [name, value] of Object.entries(values))
    if (!/^[1-9]\d*$/.test(value)) throw new Error(`--${name} is the number of a fault, not "${value}".`)
  const [from, to] = [Number(values.from), Number(values.to)]
  const chosen = all.slice(from - 1, to).filter(({ file }) => file.includes(part))
  if (chosen.length === 0)
    throw new Error(
      `No fault numbered ${from} to ${to}${part && ` in a file with "${part}" in its path`}: there are ${all.length}.`,
    )
  return chosen
}
