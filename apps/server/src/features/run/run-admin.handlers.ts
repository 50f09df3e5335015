import { type contract, Refusal } from '@pillar/contract'
import { pagesOf, windowOf } from '@pillar/contract/wire/paging'
import { whyText } from '@pillar/domain/cohort/held-back'
import { WIRE_STATUS } from '@pillar/domain/message/message-state'
import { noteCounts } from '../../api/audit.ts'
import { type HandlersOf, staffTx, tenantTx } from '../../api/context.ts'
import {
  batchMessages,
  batchReasons,
  batchTotals,
  type FoundBatch,
  findBatch,
  listBatches,
  type MessageRow,
  refusingGateways,
  stopBatch,
} from './run-admin.queries.ts'

/** Message Info: batches of all companies, and the texts of one for a caller who gives a reason. */
export const runAdminHandlers: HandlersOf<typeof contract.runAdmin> = {
  async info(input, context) {
    const tx = staffTx(context)
    const refusing = (await refusingGateways(tx)).map(({ refused_since, refused_at, ...one }) => ({
      ...one,
      refused_since: refused_since.toISOString(),
      refused_at: refused_at.toISOString(),
    }))
    return { ...(await listBatches(tx, input)), paused_gateways: refusing }
  },

  async read({ batch_id, page }, context) {
    const tx = tenantTx(context)
    const batch = await findBatch(tx, batch_id)
    const totals = await batchTotals(tx, batch)
    const rows = await batchMessages(tx, batch, windowOf(page))
    noteCounts(context, { messages: rows.length })
    const whys = async (state: 'skipped' | 'failed') =>
      (await batchReasons(tx, batch, state)).map(({ reason, count }) => ({
        ...{ reason, count },
        text: whyText(reason, channelOf(batch)),
      }))
    return {
      template_name: batch.template_name,
      subject: batch.subject,
      body: batch.body,
      user_name: batch.user_name,
      sender: batch.channel === 'sms' ? (batch.sms_sender ?? context.services.sms.defaultSender) : null,
      num_patients: totals.messages,
      num_queued: totals.queued,
      cost: totals.cents / 100,
      held_back: await whys('skipped'),
      failed: await whys('failed'),
      ...pagesOf(page, totals.texts),
      messages: rows.map((row) => shown(row, channelOf(batch))),
    }
  },

  async stop({ batch_id }, context) {
    const tx = tenantTx(context)
    const batch = await findBatch(tx, batch_id)
    // A campaign may have a newer run, which a batch with nothing left must not stop.
    if ((await batchTotals(tx, batch)).queued === 0)
      throw new Refusal('conflict', 'Nothing of this batch is waiting to be sent, so nothing was stopped.')
    const { left, resumable } = await stopBatch(tx, batch, context.services.now())
    noteCounts(context, { stopped: left })
    return { stopped: true, left, resumable }
  },
}

const channelOf = ({ channel }: FoundBatch) => channel as 'sms' | 'email'

const shown = (row: MessageRow, channel: 'sms' | 'email') => ({
  status: WIRE_STATUS[row.state],
  why: row.state === 'failed' || row.state === 'skipped' ? whyText(row.reason, channel) : null,
  fake_patient: row.fake,
  subject: row.subject,
  body: row.body,
  parts: row.parts,
  cost: row.cents / 100,
  sent_at: row.sent_at?.toISOString() ?? null,
})
