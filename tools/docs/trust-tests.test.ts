import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' }).trim().split('\n')
const page = readFileSync('docs/trust-tests.md', 'utf8')
/** By T: the files named in its row. */
const rows = new Map(
  [...page.matchAll(/^\| T(\d+) +\|[^|]+\|([^|]+)\|/gm)].map(([, number, where]) => [
    Number(number),
    [...where!.matchAll(/`([^`]+)`/g)].map(([, file]) => file!),
  ]),
)

it('docs/trust-tests.md has a row for each of T1 to T40, and every file it names exists', () => {
  expect([...rows.keys()]).toEqual(Array.from({ length: 40 }, (_, at) => at + 1))
  const named = [...rows].flatMap(([number, where]) => where.map((file) => ({ number, file })))
  expect(named.filter(({ file }) => !files.includes(file))).toEqual([])
  for (const [number, where] of rows) expect([number, where.length]).not.toEqual([number, 0])
})

it('a browser test that backs a promise is part of `npm test`', () => {
  const named = [...new Set([...rows.values()].flat())].filter((file) => file.startsWith('e2e/'))
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((file) => !readFileSync(file, 'utf8').includes("tag: '@main'"))).toEqual([])
})

it('a test whose title names a T is in the row of that T', () => {
  const titled = files
    .filter((file) => /\.(test|spec)\.ts$/.test(file))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^\s*(?:it|test|describe)\b.*\((T\d+(?:, T\d+)*)[),;]/gm)].flatMap(
        ([, all]) => all!.split(', ').map((one) => ({ file, number: Number(one.slice(1)) })),
      ),
    )
  expect(titled.length).toBeGreaterThan(40)
  const missing = titled.filter(({ file, number }) => !rows.get(number)?.includes(file))
  expect([...new Set(missing.map(({ file, number }) => `T${number} ${file}`))]).toEqual([])
})
