const CONTROLS =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]'

/** An element and what it stands in, from the inside out as far as the dialog around it, each with its place among its neighbours. */
export type Place = readonly { element: Element; at: number }[]

/** Where an element stands, for when it is gone. */
export function placeOf(element: Element): Place {
  const place: { element: Element; at: number }[] = []
  for (let one: Element | null = element; one && one !== document.body; one = one.parentElement) {
    place.push({ element: one, at: [...(one.parentElement?.children ?? [])].indexOf(one) })
    if (one.matches('[role=dialog]')) break
  }
  return place
}

/**
 * The control nearest to a place whose element is gone or switched off: the next one in the innermost part that is left,
 * or the one before. Where the whole screen was changed, the screen itself; null where nothing is left.
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

/** In a part: the first control from the child at a place on, or the last one before it. */
function nearest(part: Element, at: number): HTMLElement | null {
  const children = [...part.children]
  const shown = [...part.querySelectorAll<HTMLElement>(CONTROLS)].filter((one) =>
    one.checkVisibility({ visibilityProperty: true }),
  )
  const from = (one: Element) => children.findIndex((child) => child.contains(one))
  return shown.find((one) => from(one) >= at) ?? shown.at(-1) ?? null
}
