import { CONTACT_CODE } from '@pillar/domain/message/fake-patient'
import { z } from 'zod'
import { job } from '../../api/queue.ts'
import { contactCode } from './contact-code.ts'
import { contactToText } from './staff-contact.queries.ts'

/** The text of a code by phone or email. */
export const codeText = (product: string, code: string): string =>
  `${code} is your ${product} code. It confirms that test messages may come here, and works for ${CONTACT_CODE.minutes} minutes. If you did not ask for it, ignore it.`

/**
 * Texts a one-time code. The reference is the gateway's idempotency key and is looked up first, so a repeated job texts nothing twice. The
 * queue never holds the code, which follows from the row.
 */
export const textCode = job({
  name: 'contact-code',
  payload: z.object({ contact_id: z.number().int(), asked_at: z.iso.datetime() }),
  concurrency: () => 1,
  retries: 3,
  async run({ contact_id, asked_at }, { pools, sms, secret, env, now, log }) {
    const row = await contactToText(pools.system, contact_id, new Date(asked_at))
    if (!row || now().getTime() - row.asked_at.getTime() > CONTACT_CODE.minutes * 60_000) return
    const reference = `code-${row.uuid}-${row.asked_at.getTime()}`
    const known = (await sms.lookUp([{ reference, to: row.contact }]))[0]
    if (known?.kind === 'accepted') return
    const text = codeText(env.PRODUCT_NAME, contactCode(secret, row))
    const outcome = (await sms.send([{ reference, to: row.contact, from: null, text }]))[0]
    if (outcome?.kind === 'accepted') return
    const reason = outcome?.reason ?? 'The gateway gave no answer.'
    log.warn({ reference, outcome: outcome?.kind, reason }, 'a code was not texted')
    if (outcome?.kind === 'later') throw new Error(reason)
  },
})
