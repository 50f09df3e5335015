import { Button } from '@mantine/core'
import type { MessageReply } from '@pillar/contract/message-reply'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import type { Pages } from '../../api/pages.ts'
import { More } from '../../kit/More.tsx'
import { Failed, Loading, NothingYet } from '../../kit/states.tsx'
import styles from './Replies.module.css'

interface ReplyListProps {
  pages: Pages<MessageReply>
  unread: boolean
  onAll: () => void
  item: (reply: MessageReply) => ReactNode
}

/** The replies as they came, the next page at their end; or why there are none. */
export function ReplyList({ pages, unread, onAll, item }: ReplyListProps) {
  const list = useRef<HTMLUListElement>(null)
  useKeptFocus(list, pages.rows)
  if (pages.rows.length > 0) {
    return (
      <div data-stale={pages.stale || undefined} className={styles.scroll}>
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

/** Where the reply in focus left the list, the one in its place gets the focus: it must not fall out of the dialog. */
function useKeptFocus(list: RefObject<HTMLUListElement | null>, rows: readonly MessageReply[]): void {
  const last = useRef(0)
  useEffect(() => {
    const remember = () => {
      const at = [...(list.current?.children ?? [])].findIndex((child) => child.contains(document.activeElement))
      if (at >= 0) last.current = at
    }
    document.addEventListener('focusin', remember)
    return () => document.removeEventListener('focusin', remember)
  }, [list])
  const count = useRef(rows.length)
  useEffect(() => {
    const fewer = rows.length < count.current
    count.current = rows.length
    if (!fewer || (document.activeElement && document.activeElement !== document.body)) return
    const items = list.current?.children
    const near = items?.[Math.min(last.current, items.length - 1)]
    const target = near?.querySelector<HTMLElement>('button:last-of-type') ?? document.querySelector('[role=dialog]')
    if (target instanceof HTMLElement) target.focus()
  }, [rows, list])
}
