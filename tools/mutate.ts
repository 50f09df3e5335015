import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { choose } from './mutation/choice.ts'
import type { Mutant } from './mutation/lines.ts'
import { MUTANTS } from './mutation/list.ts'
import { mutate, nameOf, wrongWith } from './mutation/mutant.ts'
import { layOut } from './upgrade/version.ts'
import { explain } from './usage/explain.ts'

explain(`npm run mutate -- [part of a file's path] [--from N] [--to N]
Puts each fault of tools/mutation into a copy of the last commit, one at a time, and runs the tests that must notice it. Exits with 1 if one
survives. The rules take a minute together, each of the server's lines as long as its tests.`)

function asked(): readonly Mutant[] {
  try {
    return choose(process.argv.slice(2), MUTANTS)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(2)
  }
}
const chosen = asked()

const folder = mkdtempSync(join(tmpdir(), 'pillar-mutants-'))
// PostgreSQL passes through it as a separate user.
chmodSync(folder, 0o711)
const problems: string[] = []

/** Runs test files in the copy. @returns whether all passed */
function pass(tests: readonly string[]): boolean {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', '--reporter=dot', ...tests]
  return spawnSync(process.execPath, args, { cwd: folder, stdio: 'ignore' }).status === 0
}

function survives(mutant: Mutant): boolean {
  const path = join(folder, mutant.file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, mutate(text, mutant))
  try {
    return pass(mutant.tests)
  } finally {
    writeFileSync(path, text)
  }
}

/** A test that fails without a fault detects nothing. */
const healthy = new Map<string, boolean>()
function isHealthy({ tests }: Mutant): boolean {
  const key = tests.join()
  const known = healthy.get(key) ?? pass(tests)
  healthy.set(key, known)
  return known
}

try {
  layOut('HEAD', folder)
  for (const mutant of chosen) {
    const began = performance.now()
    const wrong =
      wrongWith(mutant, folder) ?? (isHealthy(mutant) ? null : `${nameOf(mutant)}: its tests fail without it`)
    const survived = wrong === null && survives(mutant)
    if (wrong) problems.push(wrong)
    if (survived) problems.push(`survived: ${nameOf(mutant)}`)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    process.stdout.write(
      `${wrong ? 'wrong   ' : survived ? 'SURVIVED' : 'noticed '} ${seconds.padStart(5)} s  ${nameOf(mutant)}\n`,
    )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
if (problems.length > 0) process.stderr.write(`${problems.join('\n')}\n`)
process.stdout.write(`${chosen.length} faults, ${problems.length} problems\n`)
process.exit(problems.length === 0 ? 0 : 1)
