import { useEffect, useRef } from 'react'
import type { Person } from './person.ts'

/** The interface that hCaptcha's and Turnstile's scripts share. */
interface Widget {
  render: (
    place: HTMLElement,
    options: {
      sitekey: string
      theme: 'light' | 'dark'
      callback: (solution: string) => void
      'expired-callback': () => void
      'error-callback': () => void
    },
  ) => string
  reset: (id: string) => void
  remove: (id: string) => void
}

const SCRIPTS = {
  hcaptcha: 'https://js.hcaptcha.com/1/api.js?render=explicit',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
} as const
type Vendor = keyof typeof SCRIPTS

const READY_MS = 100
const GIVE_UP_MS = 15_000

/** The vendor's widget, once its script has loaded. @throws Error if it does not load */
async function widgetOf(vendor: Vendor): Promise<Widget> {
  const there = () => (window as unknown as Partial<Record<Vendor, Widget>>)[vendor]
  if (!document.querySelector(`script[src="${SCRIPTS[vendor]}"]`)) {
    const script = document.createElement('script')
    script.src = SCRIPTS[vendor]
    script.async = true
    document.head.append(script)
  }
  for (let waited = 0; waited < GIVE_UP_MS; waited += READY_MS) {
    const widget = there()
    if (typeof widget?.render === 'function') return widget
    await new Promise((done) => setTimeout(done, READY_MS))
  }
  throw new Error('The check did not load.')
}

/**
 * A vendor's own tick, for installations that chose one. Expiry and errors clear the tick. If the form clears it, because a solution works only
 * once, the vendor's box is cleared too: ticked, it could not be ticked again.
 */
export function VendorTick({
  vendor,
  siteKey,
  person,
  onPerson,
}: {
  vendor: Vendor
  siteKey: string
  person: Person
  onPerson: (person: Person) => void
}) {
  const place = useRef<HTMLDivElement>(null)
  /** Clears a box that shows a tick; does nothing to any other. */
  const clear = useRef(() => {})
  const tell = useRef(onPerson)
  tell.current = onPerson
  useEffect(() => {
    let remove = () => {}
    let gone = false
    const none = (state: 'unchecked' | 'failed') => {
      clear.current = () => {}
      tell.current({ state, solution: null })
    }
    widgetOf(vendor).then(
      (widget) => {
        if (gone || !place.current) return
        const id = widget.render(place.current, {
          sitekey: siteKey,
          theme: document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light',
          callback: (solution) => {
            clear.current = () => widget.reset(id)
            tell.current({ state: 'checked', solution })
          },
          'expired-callback': () => none('unchecked'),
          'error-callback': () => none('failed'),
        })
        remove = () => widget.remove(id)
      },
      () => none('failed'),
    )
    return () => {
      gone = true
      remove()
    }
  }, [vendor, siteKey])
  useEffect(() => {
    if (person.state !== 'unchecked') return
    clear.current()
    clear.current = () => {}
  }, [person])
  return <div className="vendor" ref={place} />
}
