import { type RefObject, useEffect, useState } from 'react'
import { scrollEdges } from './scroll-edges.ts'

const CONTROLS = 'a[href], button:not([disabled]), input:not([disabled]), select, textarea, [tabindex="0"]'

/** Keeps at which sides a box scrolls (`scrollEdges`). @returns whether it scrolls and holds nothing the keyboard stops at: then it must itself take the focus, or nobody scrolls it without a mouse. */
export function useScrollFocus(box: RefObject<HTMLElement | null>): boolean {
  const [needed, setNeeded] = useState(false)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      const scrolls = element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight
      setNeeded(scrolls && element.querySelector(CONTROLS) === null)
    })
    for (const one of [element, ...element.children]) observer.observe(one)
    const stop = scrollEdges(element)
    return () => {
      observer.disconnect()
      stop?.()
    }
  }, [box])
  return needed
}
