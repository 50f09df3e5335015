import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type Locked, lockBreaches } from './supply/lock.ts'
import { secretsIn } from './supply/secrets.ts'

/**
 * Checks what is installed and what is published: the lock's packages (checksums, origin, install scripts, licences), the wait of seven
 * days before a release may be installed, and that no tracked file contains a secret. Needs no network.
 */
const COOLING_DAYS = 7

/** Texts that look like secrets and open nothing: the token in the contract's examples. */
const ALLOWED = new Set(['Yv3oZr0mE5vJq2mWc8XlT6pNnS1dKfB4uHgA7iRjQeo'])

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const { packages } = readJson('package-lock.json') as { packages: Record<string, Locked> }
const { allowScripts } = readJson('package.json') as { allowScripts: Record<string, boolean> }
const breaches = lockBreaches(packages, allowScripts)

if (!readFileSync('.npmrc', 'utf8').includes(`min-release-age=${COOLING_DAYS}`))
  breaches.push(`.npmrc must keep min-release-age=${COOLING_DAYS}: npm then installs nothing that is younger.`)

const tracked = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\0')
const texts = tracked.filter(
  (file) => file && file !== 'package-lock.json' && !/\.(png|jpg|ico|woff2|pdf|gz|xlsx|zip)$/.test(file),
)
for (const file of texts)
  breaches.push(...secretsIn(readFileSync(file, 'utf8'), ALLOWED).map((one) => `${file}: ${one}`))

if (breaches.length > 0) {
  process.stderr.write(`${breaches.join('\n')}\n`)
  process.exit(1)
}
process.stdout.write(`${Object.keys(packages).length} packages locked, no secret in ${texts.length} files\n`)
