import { parseArgs } from 'node:util'
import { refuseAway } from '../db/away.ts'
import { checkPlacement, distribute, gather } from '../db/distribute/distribute.ts'
import { rolesOfNode } from '../db/distribute/node.ts'
import { readEnv } from '../env.ts'
import { command, say } from './command.ts'

const USAGE = `npm run distribute [-- --check | --undo | --roles]
Moves the tables of figures to the workers of a Citus cluster, says whether they lie there as they should (exits with 1 when not), takes them
back, or prints what an administrator runs on every node beforehand. The coordinator is DATABASE_OWNER_URL, else DATABASE_URL.`

await command(USAGE, async () => {
  const { values } = parseArgs({
    options: { check: { type: 'boolean' }, undo: { type: 'boolean' }, roles: { type: 'boolean' } },
  })
  if (Object.keys(values).length > 1) throw new Error('Give one of --check, --undo and --roles.')
  const { DATABASE_URL, DATABASE_OWNER_URL } = readEnv(process.env)
  const url = DATABASE_OWNER_URL ?? DATABASE_URL
  if (!url)
    throw new Error(
      'Set DATABASE_OWNER_URL (or DATABASE_URL) to the coordinator of the cluster. The database that Pillar brings along cannot be spread.',
    )
  if (values.roles) return say(rolesOfNode(decodeURIComponent(new URL(url).username)))
  await refuseAway({ DATABASE_URL, DATABASE_OWNER_URL, MIGRATE: 'on' })
  if (values.undo) return gather(url, say)
  if (!values.check) return distribute(url, say)
  const trouble = await checkPlacement(url)
  for (const line of trouble.length > 0 ? trouble : ['Every table lies where it belongs.']) say(line)
  if (trouble.length > 0) process.exitCode = 1
})
