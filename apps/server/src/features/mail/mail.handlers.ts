import { type contract, Refusal } from '@pillar/contract'
import type { HandlersOf } from '../../api/context.ts'
import { unseal } from '../../api/seal.ts'
import { listMail } from './mail.queries.ts'
import { hasOutbox } from './outbox.queries.ts'

const PER_PAGE = 20
/** One email that does not open hides no other. */
const UNREADABLE =
  'This email cannot be opened: it was altered in the database, or sealed with another secret than this installation has.'

function textOf(secret: Buffer, body: Buffer, recipient: string): string {
  try {
    return unseal(secret, body, recipient, 'mail body')
  } catch {
    return UNREADABLE
  }
}

export const mailHandlers: HandlersOf<typeof contract.mail> = {
  async list({ page }, { services, local }) {
    // Emails contain links that set passwords, so without sign-in they are shown only on this machine.
    if (!local || !(await hasOutbox(services))) throw new Refusal('not_found', 'There is no such call.')
    const { rows, total } = await listMail(services.pools.system, services.keys, page, PER_PAGE)
    return {
      messages: rows.flatMap((row) =>
        row.body === null
          ? []
          : [
              {
                id: String(row.id),
                to: row.recipient ?? '',
                subject: row.subject,
                text: row.recipient === null ? UNREADABLE : textOf(services.secret, row.body, row.recipient),
                sent_at: row.created_at.toISOString(),
              },
            ],
      ),
      current_page: page,
      page_count: Math.max(1, Math.ceil(total / PER_PAGE)),
      per_page: PER_PAGE,
      total,
    }
  },
}
