import { useMediaQuery } from '@mantine/hooks'
import { useVirtualizer, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useRef } from 'react'
import { fontScale } from '../../shared/font-scale.ts'

/** Up to this number all rows are drawn: the browser's search finds them, and a screen reader counts them. */
const DRAWN_WHOLE = 200
const ROW_HEIGHT = 44

interface RowWindow {
  /** The element that scrolls, from 1024 px up; below that, the window does. */
  box: RefObject<HTMLDivElement | null>
  /** Whether some rows are not drawn. */
  long: boolean
  first: number
  /** The row after the last one drawn. */
  last: number
  /** The height in pixels of the rows that are not drawn. */
  before: number
  after: number
  measure: ((element: HTMLElement | null) => void) | undefined
}

/**
 * Decides which rows of a long table to draw. Rows may have any height, because they are measured.
 * @param start index of the row to scroll to initially; -1 for none
 * @param inner whether the box also scrolls on small screens
 */
export function useRowWindow(count: number, start = -1, inner = false): RowWindow {
  const box = useRef<HTMLDivElement>(null)
  const small = useMediaQuery('(max-width: 63.9375em)', undefined, { getInitialValueInEffect: false }) ?? false
  const narrow = small && !inner
  const long = count > DRAWN_WHOLE
  const shared = { count, estimateSize: () => ROW_HEIGHT * fontScale(), overscan: 10 }
  const inBox = useVirtualizer({ ...shared, enabled: long && !narrow, getScrollElement: () => box.current })
  const inWindow = useWindowVirtualizer({
    ...shared,
    enabled: long && narrow,
    scrollMargin: box.current?.offsetTop ?? 0,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each initial row, not whenever rows are measured.
  useEffect(() => {
    if (start < 0) return
    if (long) (narrow ? inWindow : inBox).scrollToIndex(start, { align: 'center' })
    else box.current?.querySelector('[data-open]')?.scrollIntoView({ block: 'nearest' })
  }, [start])
  if (!long) return { box, long, first: 0, last: count, before: 0, after: 0, measure: undefined }
  const rows = narrow ? inWindow : inBox
  const drawn = rows.getVirtualItems()
  const margin = rows.options.scrollMargin
  return {
    box,
    long,
    first: drawn[0]?.index ?? 0,
    last: (drawn.at(-1)?.index ?? -1) + 1,
    before: (drawn[0]?.start ?? margin) - margin,
    after: rows.getTotalSize() - ((drawn.at(-1)?.end ?? margin) - margin),
    measure: rows.measureElement,
  }
}
