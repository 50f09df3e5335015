import { readFileSync, writeFileSync } from 'node:fs'
import { minVersion, satisfies } from 'semver'

/**
 * Completes package-lock.json; run it after every `npm install`. `--check` changes nothing and fails if there is something to complete.
 *
 * Adds the parts for other platforms that a registry did not serve when the lock was written: npm then leaves them out, and `npm ci`
 * refuses a lock that lacks them.
 *
 * Removes the requirement for a newer Node than the one `npm ci` may run on, if the Node that Pillar brings along meets it: every program
 * here runs on that one. npm knows only the Node it runs on itself, would warn about each such package and leave out the optional ones. A
 * requirement that Pillar's Node does not meet stays, and is an error.
 */
interface Locked {
  version?: string
  engines?: { node?: string; [other: string]: string | undefined }
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

const PATH = 'package-lock.json'
const SYSTEMS = ['android', 'darwin', 'linux', 'win32', 'freebsd', 'openharmony', 'sunos', 'netbsd', 'openbsd', 'aix']
const PROCESSORS = ['arm64', 'x64', 'ia32', 'arm', 'ppc64', 's390x', 'riscv64', 'loong64', 'wasm32']
/** Words for a system or a processor where npm uses a different one. */
const SAME: Record<string, string> = { windows: 'win32', gnueabihf: 'arm', eabi: 'arm' }

const before = readFileSync(PATH, 'utf8')
const lock = JSON.parse(before) as { packages: Record<string, Locked> }
const ours = lock.packages['node_modules/node']?.version ?? ''
const oldest = minVersion(lock.packages['']?.engines?.node ?? '') ?? ''

/** Whether `name` is locked for the package at `place` or anywhere above it. */
function isLocked(place: string, name: string): boolean {
  for (let at = place; ; at = at.includes('/node_modules/') ? at.slice(0, at.lastIndexOf('/node_modules/')) : '') {
    if (lock.packages[`${at ? `${at}/` : ''}node_modules/${name}`]) return true
    if (!at) return false
  }
}

function platformOf(name: string): Pick<Locked, 'os' | 'cpu' | 'libc'> {
  const words = (name.split('/').at(-1) ?? '').split(/[-.]/).map((word) => SAME[word] ?? word)
  const os = words.find((word) => SYSTEMS.includes(word))
  const cpu = words.find((word) => PROCESSORS.includes(word))
  return {
    ...(os ? { os: [os] } : {}),
    ...(cpu ? { cpu: [cpu] } : {}),
    ...(words.includes('musl') ? { libc: ['musl'] } : {}),
  }
}

function addPlatforms(): void {
  for (const [place, { dev, optionalDependencies = {} }] of Object.entries({ ...lock.packages })) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (isLocked(place, name) || !/^\d/.test(version)) continue
      const shared = { version, ...(dev ? { dev: true } : {}), optional: true }
      lock.packages[`node_modules/${name}`] = { ...shared, ...platformOf(name) }
    }
  }
}

/** @returns the packages that do not run on Pillar's Node */
function settleEngines(): string[] {
  const refused: string[] = []
  for (const [place, one] of Object.entries(lock.packages)) {
    const wanted = one.engines?.node
    if (!place.includes('node_modules/') || !wanted || satisfies(oldest, wanted)) continue
    if (!satisfies(ours, wanted)) refused.push(`${place} wants Node ${wanted}`)
    else delete one.engines!.node
    if (Object.keys(one.engines!).length === 0) delete one.engines
  }
  return refused
}

function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

addPlatforms()
const refused = settleEngines()
if (refused.length > 0) fail(`These do not run on Node ${ours}, which Pillar runs on:\n${refused.join('\n')}`)
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
const after = `${JSON.stringify(lock, null, 2)}\n`
if (after !== before) {
  if (process.argv.includes('--check')) fail(`${PATH} is not complete: run "node tools/complete-lock.ts".`)
  writeFileSync(PATH, after)
  process.stdout.write(`${PATH} completed\n`)
}
