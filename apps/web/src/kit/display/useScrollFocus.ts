import { type RefObject, useEffect, useState } from 'react'
import { scrollEdges } from './scroll-edges.ts'

const CONTROLS = 'a[href], button:not([disabled]), input:not([disabled]), select, textarea, [tabindex="0"]'

/**
 * Marks the sides at which a box scrolls (`scrollEdges`). @returns the box's further props: if it scrolls and nothing in it can be focused, it
 * can be itself, under this label, because it could not be scrolled without a mouse otherwise
 */
export function useScrollFocus(box: RefObject<HTMLElement | null>, label: string) {
  const [needed, setNeeded] = useState(false)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const sizes = new ResizeObserver(() => {
      const scrolls = element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight
      setNeeded(scrolls && element.querySelector(CONTROLS) === null)
    })
    const follow = () => {
      sizes.disconnect()
      for (const one of [element, ...element.children]) sizes.observe(one)
    }
    // Its data arrives later than the box.
    const children = new MutationObserver(follow)
    children.observe(element, { childList: true })
    follow()
    const stop = scrollEdges(element)
    return () => {
      sizes.disconnect()
      children.disconnect()
      stop?.()
    }
  }, [box])
  return needed ? { role: 'group', 'aria-label': label, tabIndex: 0 } : {}
}
