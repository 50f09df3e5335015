import { Button } from '@mantine/core'
import { inbound, type MessageReply } from '@pillar/contract/message/inbound'
import { formatNumber } from '@pillar/domain/time/locale'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { refresh, useSendOnly, useWrite } from '../../api/client.ts'
import { usePages } from '../../api/pages.ts'
import type { DialogProps } from '../../frame/dialog-address.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { confirm } from '../../kit/dialog/question.ts'
import { toast, toastFailure } from '../../kit/display/toast.tsx'
import { Segments } from '../../kit/form/Segments.tsx'
import { useCountry } from '../../session/session.ts'
import { failureWords } from '../../shared/refused.ts'
import styles from './Replies.module.css'
import { ReplyItem } from './ReplyItem.tsx'
import { ReplyList } from './ReplyList.tsx'
import { stopQuestion } from './reply-words.ts'

const SHOWN = [
  { value: 'unread', label: 'Unread' },
  { value: 'all', label: 'All' },
] as const

/** Patients' replies other than STOP and START: the unread ones, or all. */
export function RepliesDialog({ search, open, close }: DialogProps) {
  const country = useCountry()
  const unread = search.show !== 'all'
  const pages = usePages(
    inbound.replies,
    { unread },
    ({ replies }) => replies,
    ({ reply_id }) => reply_id,
  )
  const { mark, error } = useMarking()
  const stop = useStopping()
  const forward = useForwarding()
  const show = (value: 'unread' | 'all') => open('replies', value === 'all' ? { show: 'all' } : {})
  return (
    <Dialog opened onClose={close} title="Replies" size="M" error={error}>
      <p className="muted">
        What patients answered to texts, other than STOP and START. Times are those of each pharmacy.
      </p>
      <div className={styles.top}>
        <Segments label="Show" options={SHOWN} value={unread ? 'unread' : 'all'} onChange={show} />
        <MarkAll rows={pages.rows} />
        {pages.total === null || pages.stale ? null : (
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
            onForward={() => void forward(reply)}
            onCampaign={(campaign) => open('campaigns', { campaign })}
          />
        )}
      />
    </Dialog>
  )
}

/** Marks all as read; if only possible opt-outs are unread, says why it cannot. */
function MarkAll({ rows }: { rows: readonly MessageReply[] }) {
  const { mark, busy } = useMarkingAll()
  const unread = rows.filter(({ read_at }) => read_at === null)
  if (unread.length === 0) return null
  if (unread.every(({ may_stop }) => may_stop))
    return <span className="muted">Possible opt-outs are marked one by one.</span>
  return (
    <Button size="xs" variant="subtle" loading={busy} onClick={() => void mark(rows)}>
      Mark all as read
    </Button>
  )
}

/** Marks a reply, with undo for marking it as read. */
function useMarking() {
  const write = useWrite(inbound.readReply)
  const [error, setError] = useState<string | null>(null)
  const mark = async (id: string, read: boolean): Promise<void> => {
    setError(null)
    try {
      await write.mutateAsync({ id, read })
      if (read) toast('Marked as read', { action: { label: 'Undo', run: () => void mark(id, false) } })
    } catch (refused) {
      setError(failureWords(`Could not mark the reply as ${read ? 'read' : 'unread'}.`, refused))
    }
  }
  return { mark, error }
}

/** Marks every reply up to the newest visible one as read; possible opt-outs stay, because each needs a decision. */
function useMarkingAll() {
  const write = useWrite(inbound.readReplies)
  const mark = async (rows: readonly MessageReply[]): Promise<void> => {
    const until = new Date(Math.max(...rows.map(({ received_at }) => Date.parse(received_at)))).toISOString()
    try {
      const { marked } = await write.mutateAsync({ until })
      toast(`${marked} ${marked === 1 ? 'reply' : 'replies'} marked as read. Possible opt-outs stay unread.`)
    } catch (refused) {
      toastFailure(failureWords('Could not mark the replies as read.', refused))
    }
  }
  return { mark, busy: write.isPending }
}

/** Asks first, then mails a reply to its pharmacy. */
function useForwarding() {
  const client = useQueryClient()
  const send = useSendOnly()
  return async (reply: MessageReply): Promise<void> => {
    let sentTo = ''
    const sure = await confirm({
      title: `Forward this reply to ${reply.pharmacy_name}?`,
      consequence:
        'The pharmacy’s contact gets it by email, with the patient’s number in the dispensing system and no name. The reply is marked as read.',
      button: 'Forward to the pharmacy',
      act: async () => {
        sentTo = (await send(inbound.forwardReply, { id: reply.reply_id })).sent_to
      },
    })
    if (!sure) return
    toast(`Forwarded to ${sentTo}`)
    await refresh(client, inbound.forwardReply)
  }
}

/** Asks first, then stops the pharmacy's texts to a reply's number. */
function useStopping() {
  const client = useQueryClient()
  const send = useSendOnly()
  return async (reply: MessageReply): Promise<void> => {
    const { title, consequence, also, button } = stopQuestion(reply)
    const said = (
      <>
        <p>{consequence}</p>
        <p className={`${styles.also} muted`}>{also}</p>
      </>
    )
    const act = () => send(inbound.stopReply, { id: reply.reply_id })
    if (!(await confirm({ title, consequence: said, button, act, danger: true }))) return
    toast('Texts to this number stopped. The reply is marked as read.')
    // Only now: closing the question returns the focus to its button, which disappears with the reply and passes the focus on to the next one.
    await refresh(client, inbound.stopReply)
  }
}
