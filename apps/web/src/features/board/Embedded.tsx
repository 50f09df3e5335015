import type { contract, ReplyOf } from '@pillar/contract'
import { board } from '@pillar/contract/board'
import type { EmbeddedDashboard } from '@superset-ui/embedded-sdk'
import { useEffect, useRef, useState } from 'react'
import { send } from '../../api/client.ts'
import { Failed } from '../../kit/display/states.tsx'
import { type Scheme, useScheme } from '../../shared/scheme.ts'
import styles from './Embedded.module.css'

type Dashboard = ReplyOf<(typeof contract)['board']['list']>[number]

interface EmbeddedProps {
  dashboard: Dashboard
  /** The drug type shown first. */
  about: string | undefined
  onAbout: (drugClass: string) => void
}

/** An analytics server that stays silent this long is considered unavailable. */
const SILENT_MS = 20_000
const SILENT = 'The analytics server did not answer this browser. Check the connection, or ask support whether it runs.'

/** Height left under the page's heading on a portrait sheet, A4 or Letter, in CSS pixels. */
const SHEET_HEIGHT = 860
const MOST_SCALE = 0.72
const LEAST_SCALE = 0.5

/** Shrinks a printed board to one sheet: a browser cuts a frame where the sheet ends, even in the middle of a chart. */
function fitSheet(style: CSSStyleDeclaration | undefined, height: number): void {
  // A sheet is narrower than the screen, so text takes more lines.
  const room = Math.ceil(1.1 * height)
  style?.setProperty('--height', `${room}px`)
  style?.setProperty('--scale', String(Math.min(MOST_SCALE, Math.max(LEAST_SCALE, SHEET_HEIGHT / room))))
}

const themeOf = (scheme: Scheme) => (scheme === 'dark' ? 'dark' : 'default')

/** One dashboard in a frame of another origin, through the official SDK, which also renews its token. */
export function Embedded({ dashboard, about, onAbout }: EmbeddedProps) {
  const mount = useRef<HTMLDivElement>(null)
  const embedded = useRef<EmbeddedDashboard | null>(null)
  const scheme = useScheme()
  const latest = useRef({ scheme, about, onAbout })
  latest.current = { scheme, about, onAbout }
  const [state, setState] = useState<'opening' | 'open' | { message: string }>('opening')
  const [again, setAgain] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` opens the same dashboard again.
  useEffect(() => {
    let gone = false
    setState('opening')
    const open = async () => {
      const made = await embed(dashboard, mount.current!, latest.current.about)
      if (gone) return made.unmount()
      embedded.current = made
      made.setThemeMode(themeOf(latest.current.scheme))
      made.observeDataMask(({ drug_class, height }) => {
        if (typeof drug_class === 'string') latest.current.onAbout(drug_class)
        if (typeof height === 'number') fitSheet(mount.current?.style, height)
      })
      await answered(made)
      if (!gone) setState('open')
    }
    open().catch((error: unknown) => {
      if (!gone) setState({ message: (error as Error).message })
    })
    return () => {
      gone = true
      embedded.current?.unmount()
      embedded.current = null
    }
  }, [dashboard, again])
  useEffect(() => embedded.current?.setThemeMode(themeOf(scheme)), [scheme])
  const failed = typeof state === 'object'
  return (
    <div className={styles.box}>
      {state === 'opening' ? (
        <p className={styles.wait} role="status">
          Loading Analytics...
        </p>
      ) : null}
      {failed ? (
        <Failed title={`Could not load ${dashboard.name}`} error={state} onRetry={() => setAgain(again + 1)} />
      ) : null}
      <div ref={mount} className={styles.mount} hidden={failed} />
    </div>
  )
}

async function embed(dashboard: Dashboard, mountPoint: HTMLElement, about: string | undefined) {
  const { dashboard_id, domain_url, name } = dashboard
  const token = async () => (await send(board.token, { dashboard_id })).token
  // The first token is fetched before the frame, because its refusal is a sentence for people.
  let first: string | null = await token()
  const { embedDashboard } = await import('@superset-ui/embedded-sdk')
  return embedDashboard({
    id: dashboard_id,
    supersetDomain: domain_url,
    mountPoint,
    fetchGuestToken: async () => {
      const given = first ?? (await token())
      first = null
      return given
    },
    dashboardUiConfig: { hideTitle: true, ...(about ? { urlParams: { drug_class: about } } : {}) },
    iframeTitle: name,
    // Superset uses it to check whether the page may embed; our own pages send none.
    referrerPolicy: 'strict-origin',
  })
}

/** Waits until the frame has answered once. @throws Error if it does not */
async function answered(made: EmbeddedDashboard): Promise<void> {
  let timer = 0
  const silent = new Promise<never>((_, reject) => {
    timer = window.setTimeout(() => reject(new Error(SILENT)), SILENT_MS)
  })
  await Promise.race([made.getScrollSize(), silent]).finally(() => window.clearTimeout(timer))
}
