import { useVirtualizer, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { fontScale } from '../../../shared/font-scale.ts'
import type { Density } from './taste.ts'

const HEAD = 44
/** Rows and columns in the design's pixels; a compact row has only the figure. */
const SIZES = {
  roomy: { row: 50, column: 144, name: 300 },
  compact: { row: 34, column: 104, name: 240 },
} as const satisfies Record<Density, { row: number; column: number; name: number }>
/** A phone's columns are too narrow for the small line, which takes two lines, in the head as well. */
const NARROW = { column: 104, name: 176, roomy: 60, head: 60 }

/** Whether the window is so narrow that it scrolls itself, together with the table. */
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

/** The heights of the head and of the pinned rows as drawn; 0 before. Wide letter spacing gives their words more lines. */
function useTopHeights(box: RefObject<HTMLElement | null>): { head: number; pinned: number } {
  const [heights, setHeights] = useState({ head: 0, pinned: 0 })
  useLayoutEffect(() => {
    const parts = [...(box.current?.querySelectorAll<HTMLElement>('thead, thead + tbody') ?? [])]
    const measure = () => {
      const [head = 0, pinned = 0] = parts.map(({ offsetHeight }) => offsetHeight)
      setHeights((old) => (old.head === head && old.pinned === pinned ? old : { head, pinned }))
    }
    const observer = new ResizeObserver(measure)
    for (const part of parts) observer.observe(part)
    measure()
    return () => observer.disconnect()
  }, [box])
  return heights
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

/** The column width at which a whole number of columns fills the space; wider if there are few. */
export function widthOfColumns(space: number, least: number, count: number): number {
  const seen = Math.max(1, Math.min(Math.floor(space / least), count))
  return Math.max(least, Math.floor(space / seen))
}

/** Ends a sideways scroll at the edge of a column, so that no figure is half hidden under the names. */
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
 * The rows and columns to draw for the visible part. Rows scroll inside the box from 1024 px up and with the window below that; columns always
 * scroll inside the box, beside the sticky names.
 */
export function useGridWindow(rowCount: number, fieldCount: number, density: Density) {
  const size = SIZES[density]
  const scale = fontScale()
  const box = useRef<HTMLDivElement>(null)
  const narrow = useNarrow()
  const tall = narrow && density === 'roomy'
  const headHeight = (tall ? NARROW.head : HEAD) * scale
  const rowHeight = (tall ? NARROW.roomy : size.row) * scale
  const drawn = useTopHeights(box)
  /** Head and the three pinned rows, which stay above the scrolling rows. */
  const pinnedHeight = Math.max(drawn.head, headHeight) + Math.max(drawn.pinned, 3 * rowHeight)
  const width = useWidth(box)
  const nameWidth = (narrow ? NARROW.name : size.name) * scale
  const columnWidth = widthOfColumns(width - nameWidth, (narrow ? NARROW.column : size.column) * scale, fieldCount)
  useWholeColumns(box, columnWidth)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    if (!narrow) return
    const place = () => box.current && setTop(box.current.getBoundingClientRect().top + window.scrollY)
    place()
    // The content above grows as its figures arrive.
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: another density requires measuring the rows again
  useLayoutEffect(() => rows.measure(), [rowHeight, rows])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new width requires measuring the columns again
  useLayoutEffect(() => columns.measure(), [columnWidth, columns])
  return {
    box,
    rows,
    columns,
    nameWidth,
    columnWidth,
    narrow,
    headHeight,
    headDrawn: drawn.head || headHeight,
    pinnedHeight,
    rowHeight,
  }
}
