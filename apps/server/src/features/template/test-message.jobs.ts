import { z } from 'zod'
import { recordAudit } from '../../api/audit.ts'
import type { Services } from '../../api/context.ts'
import { job, WaitThen } from '../../api/queue.ts'
import type { HandOver } from '../../gateways/gateway.ts'

const TRIES = 5

/**
 * Hands over one test message. The reference is the gateway's idempotency key and is looked up first, so a repeated job sends nothing
 * twice; only at a gateway that can do neither may a test arrive twice, if the worker dies at that moment. A test that cannot be sent is
 * recorded, once no retry can help.
 */
export const sendTest = job({
  name: 'test-message',
  payload: z.object({
    reference: z.string(),
    channel: z.enum(['sms', 'email']),
    to: z.string(),
    from: z.string().nullable(),
    subject: z.string(),
    text: z.string(),
    html: z.string(),
    unsubscribe_url: z.string(),
    /** How often the gateway was too busy. */
    busy: z.number().default(0),
  }),
  concurrency: () => 1,
  retries: TRIES,
  async run(message, services) {
    const gateway = message.channel === 'sms' ? services.sms : services.bulkEmail
    const known = (await gateway.lookUp([{ reference: message.reference, to: message.to }]))[0]
    const outcome = known?.kind === 'accepted' ? known : await handOver(message, services)
    if (outcome?.kind === 'accepted') return
    const reason = outcome?.reason ?? 'The gateway gave no answer.'
    services.log.warn({ reference: message.reference, outcome: outcome?.kind, reason }, 'a test message did not leave')
    const busy = message.busy + 1
    if (outcome?.kind === 'later' && message.busy < TRIES) throw new WaitThen(reason, 2 ** busy, { busy })
    const failure = { caller: null, action: 'template.testFailed', object: message.reference, detail: { reason } }
    await recordAudit(services.pools.system, failure)
  },
})

async function handOver(
  message: z.output<typeof sendTest.payload>,
  { sms, bulkEmail }: Services,
): Promise<HandOver | undefined> {
  const { reference, to, text } = message
  if (message.channel === 'sms') return (await sms.send([{ reference, to, from: message.from, text }]))[0]
  const sent = await bulkEmail.send([
    {
      reference,
      to,
      fromName: message.from ?? '',
      replyTo: null,
      subject: message.subject,
      text,
      html: message.html,
      unsubscribeUrl: message.unsubscribe_url,
      oneClickUrl: message.unsubscribe_url,
    },
  ])
  return sent[0]
}
