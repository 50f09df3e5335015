import { parseArgs } from 'node:util'
import { counted } from '@pillar/domain/text/sentence'
import { openKeys } from '../db/field/key-ring.ts'
import { refuseOldSchema } from '../db/migrate.ts'
import { readReplies } from '../features/inbound/entered-replies.ts'
import { insertGatewayEvents } from '../gateways/gateway-event.queries.ts'
import { openSms } from '../gateways/sms/sms.ts'
import { command, say, secretOf, textOf, withPools } from './command.ts'

const USAGE = `npm run replies -- FILE
Enters replies that the gateway has and Pillar lacks, STOP among them: those since the moment to which a database was restored, or those that
were refused while a secret or address was wrong. The file is CSV with the columns from, to, text, at, id in its first line:
  +61491570006,+61400000000,STOP,2026-11-25T18:00:00Z,SM0123456789
id is the gateway's own, so that a reply Pillar has already does not count twice; it may be empty. A worker carries them out as if they had
just come.
The database is DATABASE_URL, else the one of the Pillar (ROLE=web) running from DATA_DIR.`

await command(USAGE, async () => {
  const { positionals } = parseArgs({ allowPositionals: true, options: {} })
  const [file] = positionals
  if (!file || positionals.length > 1) throw new Error(`Name one file.\n\n${USAGE}`)
  const content = await textOf(file)
  await withPools(1, async (pools, env) => {
    const gateway = openSms(env, pools).name
    const events = readReplies(content, await secretOf(env), gateway)
    await refuseOldSchema(pools.system)
    const keys = await openKeys(env, pools.system)
    const added = await insertGatewayEvents(pools.system, keys, gateway, events, 'then')
    const known = events.length - added
    say(
      `${counted(added, 'reply is', 'replies are')} entered${known > 0 ? `, ${known} of the file Pillar had already` : ''}. A worker carries them out.`,
    )
  })
})
