import { type contract, Refusal } from '@pillar/contract'
import type { HandlersOf } from '../../api/context.ts'
import { unseal } from '../../api/seal.ts'
import { listMail } from './mail.queries.ts'
import { hasOutbox } from './outbox.queries.ts'

const PER_PAGE = 20

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
                to: row.recipient,
                subject: row.subject,
                text: unseal(services.secret, row.body, row.recipient, 'mail body'),
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
