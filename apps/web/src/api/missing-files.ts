/** How the router recognizes a screen whose files are gone, because a newer version is running: it then loads the page again, once. */
const GONE = 'Failed to fetch dynamically imported module'

/** Style sheets that did not load; the next attempt would count them as loaded, and show a part without styles. */
const missing = new Set<string>()

/** Notes which style sheets do not load, and tells the router in words it knows: a screen's style sheet is part of it. */
export function watchFiles(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    if (payload.message.startsWith('Unable to preload CSS')) payload.message = `${GONE}: ${payload.message}`
  })
  window.addEventListener(
    'error',
    ({ target }) => {
      if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return
      missing.add(target.href)
      target.remove()
    },
    { capture: true },
  )
}

/** Requests the missing style sheets again. @throws Error if one still does not load */
export async function sheetsAgain(): Promise<void> {
  await Promise.all([...missing].map(load))
}

function load(href: string): Promise<void> {
  return new Promise((done, failed) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.crossOrigin = ''
    link.href = href
    link.addEventListener('load', () => {
      missing.delete(href)
      done()
    })
    link.addEventListener('error', () => failed(new Error(`${GONE}: ${href}`)))
    document.head.append(link)
  })
}
