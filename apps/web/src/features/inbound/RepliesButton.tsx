import { Button } from '@mantine/core'
import { inbound } from '@pillar/contract/message/inbound'
import { formatNumber } from '@pillar/domain/time/locale'
import { useQueryClient } from '@tanstack/react-query'
import { MessageSquareReply } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { nameOf, useRead } from '../../api/client.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { Unknown } from '../../kit/display/Tag.tsx'
import { useCountry } from '../../session/session.ts'
import styles from './Replies.module.css'

const EVERY_MS = 60_000

/** Opens patients' replies, and shows how many are unread, or that this is unknown. */
export function RepliesButton({ onClick }: { onClick: () => void }) {
  const country = useCountry()
  const { data, isError } = useRead(inbound.unreadReplies, {}, { every: () => EVERY_MS })
  const client = useQueryClient()
  const known = useRef(data?.unread)
  useEffect(() => {
    // More than before: earlier reads of the replies are outdated, whether shown or not.
    if (data && known.current !== undefined && data.unread > known.current) {
      void client.invalidateQueries({ queryKey: [nameOf(inbound.replies)] })
    }
    known.current = data?.unread
  }, [data, client])
  return (
    <Button leftSection={<Icon of={MessageSquareReply} />} onClick={onClick}>
      Replies
      {data && data.unread > 0 ? (
        <span className={styles.unread}>
          {formatNumber(country, data.unread)}
          <span className="sr"> unread</span>
        </span>
      ) : null}
      {isError && !data ? <Unknown why="Could not load how many are unread" /> : null}
    </Button>
  )
}
