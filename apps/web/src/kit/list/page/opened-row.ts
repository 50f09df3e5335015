/** How long the details of a row may take to arrive. */
const FOLLOWED = 3000

const TAKES_OVER = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const

/**
 * Scrolls so that a row and the details opened under it can be seen, or the row and as much of them as fits. Details grow while they load, so it
 * follows them for a moment, until somebody scrolls or does something else.
 */
export function showOpened(row: HTMLTableRowElement): void {
  const table = row.closest('table')
  if (!table) return
  const show = () => {
    if (row.nextElementSibling === null) return
    row.style.scrollMarginTop = `${stuckAbove(table)}px`
    row.nextElementSibling.scrollIntoView({ block: 'nearest' })
    row.scrollIntoView({ block: 'nearest' })
  }
  const sizes = new ResizeObserver(show)
  const stop = () => {
    sizes.disconnect()
    clearTimeout(end)
    for (const event of TAKES_OVER) window.removeEventListener(event, stop, true)
  }
  const end = setTimeout(stop, FOLLOWED)
  for (const event of TAKES_OVER) window.addEventListener(event, stop, { capture: true, passive: true })
  sizes.observe(table)
}

/** The height of the head and the pinned rows, under which a row would be hidden. */
const stuckAbove = (table: HTMLTableElement): number =>
  [...table.children]
    .filter((part) => getComputedStyle(part).position === 'sticky')
    .reduce((sum, part) => sum + part.getBoundingClientRect().height, 0)
