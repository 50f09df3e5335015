import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Adds to package-lock.json the parts for other platforms that a registry did not serve when it was written: npm leaves
 * them out then, and `npm ci` refuses a lock that lacks them. Run it after every `npm install`; it changes nothing else.
 */
interface Locked {
  version?: string
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
/** Words that name a system or a processor otherwise than npm does. */
const SAME: Record<string, string> = { windows: 'win32', gnueabihf: 'arm', eabi: 'arm' }

const lock = JSON.parse(readFileSync(PATH, 'utf8')) as { packages: Record<string, Locked> }

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

let added = 0
for (const [place, owner] of Object.entries({ ...lock.packages })) {
  for (const [name, version] of Object.entries(owner.optionalDependencies ?? {})) {
    if (isLocked(place, name) || !/^\d/.test(version)) continue
    lock.packages[`node_modules/${name}`] = {
      version,
      ...(owner.dev ? { dev: true } : {}),
      optional: true,
      ...platformOf(name),
    }
    added++
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(PATH, `${JSON.stringify(lock, null, 2)}\n`)
process.stdout.write(`${added} parts for other platforms added to ${PATH}\n`)
