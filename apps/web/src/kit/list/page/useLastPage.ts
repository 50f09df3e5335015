import { useEffect } from 'react'

/**
 * Goes to the last existing page if the address names a later one: the last row of the last page was removed, or the address is old.
 * @returns whether it is going there
 */
export function useLastPage(
  answer: { current_page: number; page_count: number } | undefined,
  change: (change: { page: number }, how: 'replace') => void,
): boolean {
  const last = answer && answer.current_page > Math.max(1, answer.page_count) ? Math.max(1, answer.page_count) : null
  useEffect(() => {
    if (last !== null) change({ page: last }, 'replace')
  }, [last, change])
  return last !== null
}
