import { message } from '@pillar/contract/message'
import { formatNumber } from '@pillar/domain/locale'
import { useState } from 'react'
import { useWrite } from '../../api/client.ts'
import { usePages } from '../../api/pages.ts'
import { Dialog } from '../../kit/Dialog.tsx'
import { Segments } from '../../kit/Segments.tsx'
import { toast } from '../../kit/toast.tsx'
import { useCountry } from '../../session/session.ts'
import type { DialogProps } from './dialogs.tsx'
import styles from './Replies.module.css'
import { ReplyItem } from './ReplyItem.tsx'
import { ReplyList } from './ReplyList.tsx'

const SHOWN = [
  { value: 'unread', label: 'Unread' },
  { value: 'all', label: 'All' },
] as const

/** What patients answered, other than STOP and START; those nobody has read, or all. */
export function RepliesDialog({ search, open, close }: DialogProps) {
  const country = useCountry()
  const unread = search.show !== 'all'
  const pages = usePages(
    message.replies,
    { unread },
    ({ replies }) => replies,
    ({ reply_id }) => reply_id,
  )
  const { mark, error } = useMarking()
  const show = (value: 'unread' | 'all') => open('replies', value === 'all' ? { show: 'all' } : {})
  return (
    <Dialog opened onClose={close} title="Replies" size="M" error={error}>
      <p className="muted">
        What patients answered to texts, other than STOP and START. Times are those of each pharmacy.
      </p>
      <div className={styles.top}>
        <Segments label="Show" options={SHOWN} value={unread ? 'unread' : 'all'} onChange={show} />
        {pages.loading || pages.stale ? null : (
          <span className={styles.total} role="status">
            {formatNumber(country, pages.total)} {unread ? 'unread' : pages.total === 1 ? 'reply' : 'replies'}
          </span>
        )}
      </div>
      <ReplyList
        pages={pages}
        unread={unread}
        onAll={() => show('all')}
        item={(reply) => (
          <ReplyItem
            key={reply.reply_id}
            reply={reply}
            country={country}
            onMark={() => void mark(reply.reply_id, reply.read_at === null)}
            onCampaign={(campaign) => open('campaigns', { campaign })}
          />
        )}
      />
    </Dialog>
  )
}

/** Marks a reply, and lets what was just marked as read be taken back. */
function useMarking() {
  const write = useWrite(message.readReply)
  const [error, setError] = useState<string | null>(null)
  const mark = async (id: string, read: boolean): Promise<void> => {
    setError(null)
    try {
      await write.mutateAsync({ id, read })
      if (read) toast('Marked as read', { action: { label: 'Undo', run: () => void mark(id, false) } })
    } catch (refused) {
      setError(`Could not mark the reply as ${read ? 'read' : 'unread'}. ${(refused as Error).message}`)
    }
  }
  return { mark, error }
}
