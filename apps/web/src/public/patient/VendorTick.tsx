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

/** A vendor's own tick, for installations that chose one. Expiry and errors clear the tick. */
export function VendorTick({
  vendor,
  siteKey,
  onPerson,
}: {
  vendor: Vendor
  siteKey: string
  onPerson: (person: Person) => void
}) {
  const place = useRef<HTMLDivElement>(null)
  const tell = useRef(onPerson)
  tell.current = onPerson
  useEffect(() => {
    let remove = () => {}
    let gone = false
    widgetOf(vendor).then(
      (widget) => {
        if (gone || !place.current) return
        const id = widget.render(place.current, {
          sitekey: siteKey,
          theme: document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light',
          callback: (solution) => tell.current({ state: 'checked', solution }),
          'expired-callback': () => tell.current({ state: 'unchecked', solution: null }),
          'error-callback': () => tell.current({ state: 'failed', solution: null }),
        })
        remove = () => widget.remove(id)
      },
      () => tell.current({ state: 'failed', solution: null }),
    )
    return () => {
      gone = true
      remove()
    }
  }, [vendor, siteKey])
  return <div className="vendor" ref={place} />
}
