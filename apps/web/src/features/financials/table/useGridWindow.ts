import { useVirtualizer, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { fontScale } from '../../../shared/font-scale.ts'
import type { Density } from './taste.ts'

const HEAD = 44
/** Rows and columns in pixels of the design; a compact row has the figure alone. */
const SIZES = {
  roomy: { row: 50, column: 144, name: 300 },
  compact: { row: 34, column: 104, name: 240 },
} as const satisfies Record<Density, { row: number; column: number; name: number }>
/** Columns of a phone are too narrow for the small line, which becomes two, in the head as well. */
const NARROW = { column: 104, name: 176, roomy: 60, head: 60 }

/** Whether the window is narrow enough that it scrolls itself, and the table with it. */
export function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(() => window.matchMedia('(max-width: 63.9375em)').matches)
  useEffect(() => {
    const media = window.matchMedia('(max-width: 63.9375em)')
    const update = () => setNarrow(media.matches)
    media.addEventListener('change', update)
    return () => media.removeEventListener('change', update)
  }, [])
  return narrow
}

/** The width of an element as it changes. */
function useWidth(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    setWidth(element.clientWidth)
    return () => observer.disconnect()
  }, [ref])
  return width
}

/** The width of columns of which a whole number fills the space; wider where there are few. */
export function widthOfColumns(space: number, least: number, count: number): number {
  const seen = Math.max(1, Math.min(Math.floor(space / least), count))
  return Math.max(least, Math.floor(space / seen))
}

/** Where a sideways scroll ends, it ends at the edge of a column: no figure stands half under the names. */
function useWholeColumns(box: RefObject<HTMLElement | null>, columnWidth: number) {
  useEffect(() => {
    const element = box.current
    if (!element) return
    const settle = () => {
      const left = Math.round(element.scrollLeft / columnWidth) * columnWidth
      if (Math.abs(left - element.scrollLeft) > 1) element.scrollTo({ left })
    }
    settle()
    element.addEventListener('scrollend', settle)
    return () => element.removeEventListener('scrollend', settle)
  }, [box, columnWidth])
}

/**
 * The rows and columns to draw for what is scrolled into view. Rows scroll inside the box from 1024 px up and with the
 * window below; columns always scroll inside the box, beside the names that stick.
 */
export function useGridWindow(rowCount: number, fieldCount: number, density: Density) {
  const size = SIZES[density]
  const scale = fontScale()
  const box = useRef<HTMLDivElement>(null)
  const narrow = useNarrow()
  const tall = narrow && density === 'roomy'
  const headHeight = (tall ? NARROW.head : HEAD) * scale
  const rowHeight = (tall ? NARROW.roomy : size.row) * scale
  /** Head and the three pinned rows, which stay over the rows that scroll. */
  const pinnedHeight = headHeight + 3 * rowHeight
  const width = useWidth(box)
  const nameWidth = (narrow ? NARROW.name : size.name) * scale
  const columnWidth = widthOfColumns(width - nameWidth, (narrow ? NARROW.column : size.column) * scale, fieldCount)
  useWholeColumns(box, columnWidth)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    if (!narrow) return
    const place = () => box.current && setTop(box.current.getBoundingClientRect().top + window.scrollY)
    place()
    // What stands above grows as its figures come.
    const observer = new ResizeObserver(place)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [narrow])
  const shared = { count: rowCount, estimateSize: () => rowHeight, overscan: 6 }
  const inBox = useVirtualizer({
    ...shared,
    enabled: !narrow,
    getScrollElement: () => box.current,
    scrollMargin: pinnedHeight,
    scrollPaddingStart: pinnedHeight,
  })
  const inWindow = useWindowVirtualizer({ ...shared, enabled: narrow, scrollMargin: top + pinnedHeight })
  const rows = narrow ? inWindow : inBox
  const columns = useVirtualizer({
    horizontal: true,
    count: fieldCount,
    getScrollElement: () => box.current,
    estimateSize: () => columnWidth,
    overscan: 2,
    scrollMargin: nameWidth,
    scrollPaddingStart: nameWidth,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another density is why the rows are measured again
  useLayoutEffect(() => rows.measure(), [rowHeight, rows])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new width is why the columns are measured again
  useLayoutEffect(() => columns.measure(), [columnWidth, columns])
  return { box, rows, columns, nameWidth, columnWidth, narrow, headHeight, pinnedHeight, rowHeight }
}
