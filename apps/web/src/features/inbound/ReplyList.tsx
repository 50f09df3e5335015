import { Button } from '@mantine/core'
import type { MessageReply } from '@pillar/contract/message/inbound'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import type { Pages } from '../../api/pages.ts'
import { Failed, Loading, NothingYet } from '../../kit/display/states.tsx'
import { More, NotReadAgain } from '../../kit/list/pane/More.tsx'
import styles from './Replies.module.css'

interface ReplyListProps {
  pages: Pages<MessageReply>
  unread: boolean
  onAll: () => void
  item: (reply: MessageReply) => ReactNode
}

/** The replies in order, with the next page loading at the end; or why there are none. */
export function ReplyList({ pages, unread, onAll, item }: ReplyListProps) {
  const list = useRef<HTMLUListElement>(null)
  useKeptFocus(list, pages.rows)
  if (pages.rows.length > 0) {
    return (
      <div data-stale={pages.stale || undefined} className={styles.scroll}>
        <NotReadAgain pages={pages} what="the replies" />
        <ul ref={list} aria-label="Replies">
          {pages.rows.map(item)}
        </ul>
        <More pages={pages} />
      </div>
    )
  }
  if (pages.loading) return <Loading rows={4} />
  if (pages.error) return <Failed title="Could not load the replies" error={pages.error} onRetry={pages.retry} />
  if (!unread) {
    return (
      <NothingYet title="No replies yet">
        When a patient answers a text with anything but STOP or START, it is kept here for you to read.
      </NothingYet>
    )
  }
  return (
    <NothingYet title="No unread replies" action={<Button onClick={onAll}>Show all</Button>}>
      Everything patients answered has been read.
    </NothingYet>
  )
}

/** When the focused reply leaves the list, the reply in its place gets the focus, so that it stays in the dialog. */
function useKeptFocus(list: RefObject<HTMLUListElement | null>, rows: readonly MessageReply[]): void {
  const last = useRef<{ at: number; element: Element } | null>(null)
  useEffect(() => {
    const remember = () => {
      const element = document.activeElement
      const at = [...(list.current?.children ?? [])].findIndex((child) => child.contains(element))
      if (element && at >= 0) last.current = { at, element }
    }
    document.addEventListener('focusin', remember)
    return () => document.removeEventListener('focusin', remember)
  }, [list])
  // biome-ignore lint/correctness/useExhaustiveDependencies: checked whenever the rows change.
  useEffect(() => {
    const lost = last.current && !last.current.element.isConnected
    if (!lost || (document.activeElement && document.activeElement !== document.body)) return
    const items = list.current?.children
    const near = items?.[Math.min(last.current?.at ?? 0, items.length - 1)]
    const target = [...(near?.querySelectorAll('button') ?? [])].at(-1) ?? document.querySelector('[role=dialog]')
    if (target instanceof HTMLElement) target.focus()
  }, [rows, list])
}
