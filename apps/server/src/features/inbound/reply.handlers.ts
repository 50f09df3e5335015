import type { contract } from '@pillar/contract'
import { pagesOf, windowOf } from '@pillar/contract/wire/paging'
import { recordAudit } from '../../api/audit.ts'
import { callerOf, type HandlersOf, tenantTx } from '../../api/context.ts'
import { countReplies, listReplies, markAllRead, markReply, type ReplyRow } from './reply.queries.ts'
import { forwardReply } from './reply-forward.ts'
import { stopNumberOf } from './reply-stop.ts'

export const inboundHandlers: HandlersOf<typeof contract.inbound> = {
  async replies({ unread, page }, context) {
    const tx = tenantTx(context)
    const { rows, total } = await listReplies(tx, context.services.keys, { unread, ...windowOf(page) })
    await recordAudit(tx, {
      caller: callerOf(context),
      action: 'inbound.replies',
      object: null,
      detail: { unread, page, rows: rows.length },
    })
    return { replies: rows.map(answerOf), ...pagesOf(page, total) }
  },

  async unreadReplies(_input, context) {
    return { unread: await countReplies(tenantTx(context), true) }
  },

  async readReply({ id, read }, context) {
    const by = callerOf(context).loginId
    await markReply(tenantTx(context), id, read ? { at: context.services.now(), by } : null)
    return { saved: true }
  },

  async readReplies({ until }, context) {
    const read = { at: context.services.now(), by: callerOf(context).loginId }
    return { marked: await markAllRead(tenantTx(context), new Date(until), read) }
  },

  async forwardReply({ id }, context) {
    return { sent_to: await forwardReply(context, id) }
  },

  async stopReply({ id }, context) {
    const by = { login: callerOf(context).loginId, keys: context.services.keys }
    await stopNumberOf(tenantTx(context), id, by, context.services.now())
    return { stopped: true }
  },
}

const answerOf = (row: ReplyRow) => ({
  reply_id: row.uuid,
  pharmacy_id: row.pharmacy_uuid,
  pharmacy_name: row.pharmacy,
  time_zone: row.time_zone,
  patient_refs: row.patients,
  number_end: row.number_end,
  text: row.body,
  may_stop: row.may_stop,
  holders: { patients: row.holders, out: row.holders_out },
  received_at: row.received_at.toISOString(),
  answers:
    row.answers !== null && row.answers_at !== null
      ? { campaign_id: row.campaign_uuid, name: row.answers, sent_at: row.answers_at.toISOString() }
      : null,
  read_at: row.read_at?.toISOString() ?? null,
  read_by: row.read_by,
  stopped_at: row.stopped_at?.toISOString() ?? null,
  stopped_by: row.stopped_by,
})
