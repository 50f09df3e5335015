import { matchRoute } from '@pillar/domain/access/permission'
import { withoutBase } from './paths.ts'

interface Frame {
  file: string
  line: number
  column: number
  function: string
}

/** A broken page fails often; the first errors are the ones that matter. */
const MOST_REPORTS = 5
const MOST_FRAMES = 30
const reported = new Set<string>()

/** The positions of an error, only in our own files; the text before them is never read. */
export function framesOf(stack: string, origin: string): Frame[] {
  return stack
    .split('\n')
    .flatMap((line) => {
      // Chromium: "    at name (url:1:2)"; Firefox and Safari: "name@url:1:2".
      const found = /^(?:\s*at (?:async )?(?:(.*?) \()?|(.*?)@)(https?:\/\/\S+?):(\d+):(\d+)\)?$/.exec(line)
      if (!found?.[3]?.startsWith(`${origin}/assets/`)) return []
      const within = found[1] ?? found[2] ?? ''
      return [
        { file: found[3].slice(origin.length), line: Number(found[4]), column: Number(found[5]), function: within },
      ]
    })
    .filter(({ file, function: within }) => /^\/assets\/[\w.-]+$/.test(file) && /^[\w.$<> ]{0,60}$/.test(within))
    .slice(0, MOST_FRAMES)
}

/** Reports an uncaught error to the server: its name and positions, never its text, and the route without the values in the address. */
export function reportError(error: unknown): void {
  // A refusal is the server's own answer, so it is known there.
  if (!(error instanceof Error) || error.name === 'RefusedError' || error.name === 'AbortError') return
  const frames = framesOf(error.stack ?? '', window.location.origin)
  const key = `${error.name} ${JSON.stringify(frames[0])}`
  if (reported.has(key) || reported.size >= MOST_REPORTS) return
  reported.add(key)
  const page = matchRoute(withoutBase(window.location.pathname))?.path ?? ''
  fetch('/api/report-error', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: error.name.slice(0, 100), page, frames }),
    keepalive: true,
  }).catch(() => {})
}

/** Reports what this page's scripts throw and nothing catches. */
export function watchErrors(): void {
  window.addEventListener('error', (event) => reportError(event.error))
  window.addEventListener('unhandledrejection', (event) => reportError(event.reason))
}
