import { parseArgs } from 'node:util'
import { counted } from '@pillar/domain/text/sentence'
import { refuseOldSchema } from '../db/migrate.ts'
import { inScope } from '../db/scope.ts'
import { everyPlace } from '../features/cohort/fill-contacts.queries.ts'
import { forgetGoneSince } from '../features/sending/gone.queries.ts'
import { command, say, withPools } from './command.ts'
import { momentOf } from './moment.ts'

const USAGE = `npm run write-again -- --since TIME
Patients get messages again at numbers and addresses that a gateway has said since TIME do not exist. For gateways and mail servers that were set up
wrongly and said so of good ones. TIME is a moment with its zone, such as 2026-11-25T18:00:00Z.
The database is DATABASE_URL, else the one of the Pillar running from DATA_DIR.`

/** npm run write-again -- --since TIME: takes back what gateways said about numbers and addresses. */
await command(USAGE, async () => {
  const { values } = parseArgs({ options: { since: { type: 'string' } } })
  if (values.since === undefined) throw new Error(`Say since when the gateway was wrong.\n\n${USAGE}`)
  const since = momentOf(values.since)
  await withPools(1, async (pools) => {
    await refuseOldSchema(pools.system)
    let forgotten = 0
    for (const { id, companyId } of await everyPlace(pools.system))
      forgotten += await inScope(pools.app, { companyId, locationIds: [id] }, (tx) => forgetGoneSince(tx, id, since))
    say(
      `${counted(forgotten, 'number or address', 'numbers and addresses')} said not to exist since ${since.toISOString()}: tried again.`,
    )
  })
})
