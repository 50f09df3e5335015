import { type contract, Refusal } from '@pillar/contract'
import { oneLine } from '@pillar/domain/text/plain-text'
import { formatDay } from '@pillar/domain/time/day'
import { ethicsProblem, isPdf } from '@pillar/domain/trial/ethics'
import { noteChange } from '../../api/audit.ts'
import { todayOf } from '../../api/call/today.ts'
import { callerOf, type HandlersOf, staffTx } from '../../api/context.ts'
import { sealBytes, unsealBytes } from '../../api/seal.ts'
import { insertApproval, newestDocument } from './ethics-admin.queries.ts'
import { findTrial, lockTrial, trialId } from './trial-admin.queries.ts'

const PURPOSE = 'ethics approval'
const NAME_LENGTH = 120

export const trialEthicsHandlers: HandlersOf<typeof contract.trialEthics> = {
  async record({ trial_id, document, ...draft }, context) {
    const tx = staffTx(context)
    const trial = await lockTrial(tx, trial_id)
    const bytes = document ? bytesOf(document) : null
    const text = {
      number: oneLine(draft.number),
      approving_body: oneLine(draft.approving_body),
      approved_on: draft.approved_on ?? '',
      expires_on: draft.expires_on ?? '',
    }
    const problem = ethicsProblem(
      { ...text, document: bytes && { bytes: bytes.length, pdf: isPdf(bytes) } },
      formatDay(todayOf(context)),
    )
    if (problem !== '' || !bytes) throw new Refusal('invalid', problem)
    const { secret, now } = context.services
    const before = (await findTrial(tx, trial_id)).ethics
    await insertApproval(
      tx,
      trial.id,
      { ...text, expires_on: text.expires_on || null, filename: fileName(draft.filename), bytes: bytes.length },
      (uuid) => sealBytes(secret, bytes, uuid, PURPOSE),
      { loginId: callerOf(context).loginId, now: now() },
    )
    const after = (await findTrial(tx, trial_id)).ethics
    if (!after) throw new Error('the approval that was just recorded is there')
    noteChange(context, null, { ethics: before }, { ethics: after })
    return after
  },

  async document({ trial_id }, context) {
    const tx = staffTx(context)
    const { uuid, filename, document } = await newestDocument(tx, await trialId(tx, trial_id))
    const bytes = unsealBytes(context.services.secret, document, uuid, PURPOSE)
    return { filename, base64: bytes.toString('base64') }
  },
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** @throws Refusal invalid if the text is not base64 */
function bytesOf(document: string): Buffer {
  if (!BASE64.test(document)) throw new Refusal('invalid', 'Please attach a PDF, not another kind of file.')
  return Buffer.from(document, 'base64')
}

/** The file's name when it is saved again: letters, digits and the few signs that mean nothing to any system. */
function fileName(given: string): string {
  const stem = oneLine(given)
    .replace(/\.pdf$/i, '')
    .replaceAll(/[^\p{L}\p{N} ._()-]/gu, '_')
    .replace(/^[. ]+/, '')
    .slice(0, NAME_LENGTH)
    .trim()
  return `${stem || 'ethics-approval'}.pdf`
}
