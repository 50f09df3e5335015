import { message } from '@pillar/contract/message'
import type { MessageReply } from '@pillar/contract/message-reply'
import { formatNumber } from '@pillar/domain/locale'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { refresh, send, useWrite } from '../../api/client.ts'
import { usePages } from '../../api/pages.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { confirm } from '../../kit/dialog/question.ts'
import { toast } from '../../kit/display/toast.tsx'
import { Segments } from '../../kit/form/Segments.tsx'
import { useCountry } from '../../session/session.ts'
import type { DialogProps } from './dialogs.tsx'
import styles from './Replies.module.css'
import { ReplyItem } from './ReplyItem.tsx'
import { ReplyList } from './ReplyList.tsx'
import { stopQuestion } from './reply-words.ts'

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
  const stop = useStopping()
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
            onStop={() => void stop(reply)}
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

/** Asks, and ends the pharmacy's texts to the number of a reply. */
function useStopping() {
  const client = useQueryClient()
  return async (reply: MessageReply): Promise<void> => {
    const { title, consequence, also, button } = stopQuestion(reply)
    const said = (
      <>
        <p>{consequence}</p>
        <p className={`${styles.also} muted`}>{also}</p>
      </>
    )
    const act = () => send(message.stopReply, { id: reply.reply_id })
    if (!(await confirm({ title, consequence: said, button, act, danger: true }))) return
    toast('Texts to this number stopped. The reply is marked as read.')
    // Only now: the question gives the focus back to its button, which then goes with the reply and hands it to the next one.
    await refresh(client, message.stopReply)
  }
}
