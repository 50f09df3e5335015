import { parseArgs } from 'node:util'
import { counted } from '@pillar/domain/text/sentence'
import { openKeys } from '../db/field/key-ring.ts'
import { refuseOldSchema } from '../db/migrate.ts'
import { type AfterRestore, setAside } from '../features/sending/restore/set-aside.ts'
import { openBulkEmail } from '../gateways/email/bulk-email.ts'
import { openSms } from '../gateways/sms/sms.ts'
import { command, say, withPools } from './command.ts'
import { momentOf } from './moment.ts'

const USAGE = `npm run after-restore -- --since TIME [--hours-changed]
After a restore, before any worker starts: sets aside every message that may have been sent since the moment the restored database stands at, so that
nothing is sent twice. TIME is that moment with its zone, such as 2026-11-25T18:00:00Z: the recovery target, or "last completed transaction" in
the log of PostgreSQL. If in doubt, give an earlier one.
--hours-changed also sets aside messages that were planned for later: if sending hours or the setting about public holidays were changed since that
moment, these may have been sent early.
The database is DATABASE_URL, else the one of the Pillar (ROLE=web) running from DATA_DIR.`

function asked(): { since: Date; hoursChanged: boolean } {
  const { values } = parseArgs({ options: { since: { type: 'string' }, 'hours-changed': { type: 'boolean' } } })
  if (values.since === undefined) throw new Error(`Say which moment the database was restored to.\n\n${USAGE}`)
  return { since: momentOf(values.since), hoursChanged: values['hours-changed'] === true }
}

function tell({ gap, messages, runs, later }: AfterRestore): void {
  const total = messages.reduce((sum, one) => sum + one.messages, 0)
  for (const one of messages)
    say(`  ${counted(one.messages, 'message', 'messages')} of ${one.run}, ${one.pharmacy} of ${one.company}`)
  for (const run of runs)
    say(
      `  ${run === null ? 'A clinical trial’s invitations' : `The campaign "${run}"`}: ended, for its messages may have been written and sent.`,
    )
  const span = `from ${gap.since.toISOString()} to ${gap.until.toISOString()}`
  say(
    total + runs.length === 0
      ? `No message could have been sent unnoticed ${span}: nothing to set aside.`
      : `${counted(total, 'message', 'messages')} may have been sent ${span} and ${total === 1 ? 'is' : 'are'} set aside as unknown: a worker asks the gateway, and sends only what it says it does not have.`,
  )
  if (later > 0)
    say(
      `${counted(later, 'message is', 'messages are')} planned for later and ${later === 1 ? 'waits' : 'wait'}. If sending hours or the setting about public holidays were changed since, they may have been sent early: then run this again with --hours-changed before a worker starts.`,
    )
  say(
    'Follow-ups of sequences that were due by then are not sent. Enter the replies of that time (npm run replies) before a worker starts.',
  )
}

const INTERRUPTED = 'No worker starts until this has run to its end: run it again.'

/** npm run after-restore -- --since TIME: sets aside what may have been sent since the moment to which the database was restored. */
await command(
  USAGE,
  async () => {
    const { since, hoursChanged } = asked()
    await withPools(2, async (pools, env) => {
      await refuseOldSchema(pools.system)
      const keys = await openKeys(env, pools.system)
      const gateways = { sms: openSms(env, pools), bulkEmail: openBulkEmail(env, pools) }
      tell(await setAside({ pools, keys, ...gateways }, since, hoursChanged))
    })
  },
  INTERRUPTED,
)
