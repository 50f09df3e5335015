import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A place in one of our files. */
export interface Frame {
  /** Relative to the repository, or below /assets/ for the screens. */
  file: string
  line: number
  column: number
  function: string
}

/**
 * An uncaught error as it may leave the server: these fields and nothing else. Messages quote values, addresses hold tokens and bodies hold
 * people, so none of them is used.
 */
export interface Fault {
  source: 'server' | 'screens'
  name: string
  /** PostgreSQL's or Node's, such as 42P01 or ECONNRESET. */
  code: string | null
  /** The call, job or page it happened in. */
  call: string | null
  status: number | null
  release: string
  /** Innermost first; frames in other people's files are left out. */
  frames: readonly Frame[]
}

/** The repository, as a URL and as a path. */
const address = new URL('../../../../', import.meta.url)
const roots = [address.href, fileURLToPath(address)]
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}
export const RELEASE = `pillar@${version}`

const MOST_FRAMES = 30
const OUR_FILE = /^(?:apps|packages|demo)\/(?:(?!node_modules)[\w.@-]+\/)*[\w.-]+\.[jt]sx?$/
const SCREEN_FILE = /^\/assets\/[\w.-]+\.js$/

/** An error's name, code and place. `call` and `status` are fixed by the caller, never taken from a request. */
export function faultOf(error: unknown, about: { call?: string | null; status?: number | null } = {}): Fault {
  const { name, code, stack, message } = (typeof error === 'object' && error !== null ? error : {}) as Partial<
    Error & { code: unknown }
  >
  return {
    source: 'server',
    name: word(name) ?? 'Error',
    code: typeof code === 'string' && /^[A-Z0-9_]{2,40}$/.test(code) ? code : null,
    call: about.call ?? null,
    status: about.status ?? null,
    release: RELEASE,
    frames: framesOf(String(stack ?? ''), String(message ?? '')),
  }
}

/** A browser's report, held to the same rules: anyone may send anything. `pages` are the paths of our routes. */
export function screenFault(
  error: { name: string; page: string; frames: readonly Frame[] },
  pages: readonly string[],
): Fault {
  const frames = error.frames.filter(({ file, function: name }) => SCREEN_FILE.test(file) && isFunction(name))
  return {
    source: 'screens',
    name: word(error.name) ?? 'Error',
    code: null,
    call: pages.includes(error.page) ? error.page : null,
    status: null,
    release: RELEASE,
    frames: frames.slice(0, MOST_FRAMES),
  }
}

/** Error names are class names with these endings; anything else may be personal. */
const word = (name: unknown) =>
  typeof name === 'string' && /^[A-Z][A-Za-z]{0,40}(?:Error|Exception|Refusal)$|^Error$/.test(name) ? name : null
const isFunction = (name: string) => /^[\w.$<>#]{0,60}$/.test(name)

function framesOf(stack: string, message: string): Frame[] {
  // The message comes first and may itself look like a stack.
  const at = message === '' ? 0 : stack.indexOf(message)
  const lines = (at < 0 ? '' : stack.slice(at + message.length)).split('\n')
  return lines.flatMap((line) => frameOf(line) ?? []).slice(0, MOST_FRAMES)
}

function frameOf(line: string): Frame | null {
  const found = /^\s+at (?:async )?(?:(.*?) \()?((?:file:\/\/)?\/[^()]*?):(\d+):(\d+)\)?$/.exec(line)
  // A URL writes a space in the path as %20.
  const place = roots.find((one) => found?.[2]?.startsWith(one))
  if (!found?.[2] || !place) return null
  const file = found[2].slice(place.length)
  const name = (found[1] ?? '').replace(/ \[as .*\]$/, '').replace(/^new /, '')
  if (!OUR_FILE.test(file)) return null
  return { file, line: Number(found[3]), column: Number(found[4]), function: isFunction(name) ? name : '' }
}
