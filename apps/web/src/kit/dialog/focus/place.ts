const CONTROLS =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]'

/** An element and its ancestors, from the inside out up to the surrounding dialog, each with its position among its siblings. */
export type Place = readonly { element: Element; at: number }[]

/** Records the place of an element, in case it disappears. */
export function placeOf(element: Element): Place {
  const place: { element: Element; at: number }[] = []
  for (let one: Element | null = element; one && one !== document.body; one = one.parentElement) {
    place.push({ element: one, at: [...(one.parentElement?.children ?? [])].indexOf(one) })
    if (one.matches('[role=dialog]')) break
  }
  return place
}

/**
 * The control nearest to a place whose element has disappeared or is disabled: the next or else the previous one in the innermost remaining part.
 * If the whole screen changed, the screen itself; null if nothing remains.
 */
export function nearTo([gone, ...around]: Place): HTMLElement | null {
  let at = gone?.at ?? 0
  for (const { element, at: next } of around) {
    if (element.isConnected) {
      if (element instanceof HTMLElement && element.id === 'main') return element
      const near = nearest(element, at)
      if (near) return near
    }
    at = next
  }
  return null
}

/** Within a part: the first control from a given child on, or the last one before it. */
function nearest(part: Element, at: number): HTMLElement | null {
  const children = [...part.children]
  // Not checkVisibility, which Safari has only since 17.4.
  const shown = [...part.querySelectorAll<HTMLElement>(CONTROLS)].filter(
    (one) => one.getClientRects().length > 0 && getComputedStyle(one).visibility === 'visible',
  )
  const from = (one: Element) => children.findIndex((child) => child.contains(one))
  return shown.find((one) => from(one) >= at) ?? shown.at(-1) ?? null
}
