import { parseArgs } from 'node:util'
import type { Pools } from '../db/database.ts'
import { keyFile } from '../db/field/key-file.ts'
import { openKeys } from '../db/field/key-ring.ts'
import { switchContacts } from '../db/field/new-keys.ts'
import { type ColumnStatus, keyStatus, retire, rotate } from '../db/field/rotation.ts'
import { type Tried, tryOpening } from '../db/field/try-opening.ts'
import { refuseOldSchema } from '../db/migrate.ts'
import type { Env } from '../env.ts'
import { pharmacyNames } from '../features/location/location.queries.ts'
import { command, say, withPools } from './command.ts'

// These come before the command, which starts while this file is still being read.
const CONTACTS = {
  plain:
    'Numbers and email addresses of patients are not all sealed. When no process of an older version is left: "npm run keys -- seal-contacts".',
  filling: 'Numbers and email addresses of patients that were stored before are being sealed.',
} as const

/** Values to try per column and pharmacy. */
const NEWEST = 100

const USAGE = `npm run keys [-- rotate | retire | seal-contacts | verify]
How the keys that seal addresses and numbers stand. rotate begins to replace them while Pillar runs, retire ends that and forgets the old
ones. seal-contacts begins to seal patients' numbers and email addresses that were stored before. verify opens the newest values of every
column and pharmacy, names the pharmacy of each that does not open, and then exits with 1.
The database is DATABASE_URL, else the one of the Pillar running from DATA_DIR.`

await command(USAGE, async () => {
  const [act = 'status', ...more] = parseArgs({ allowPositionals: true }).positionals
  if (!['status', 'rotate', 'retire', 'seal-contacts', 'verify'].includes(act) || more.length > 0)
    throw new Error('Say nothing, rotate, retire, seal-contacts or verify: npm run keys -- rotate')
  await withPools(2, async (pools, env) => {
    await refuseOldSchema(pools.system)
    const names = await pharmacyNames(pools.system)
    const keys = await openKeys(env, pools.system, ({ column, location, row }) => {
      const place = location && `${names.get(location) ?? ''} (pharmacy ${location})`.trim()
      say(`A value of ${column} does not open: ${[place, row && `row ${row}`].filter(Boolean).join(', ')}.`)
    })
    if (act === 'verify') return verify(await tryOpening(pools, keys, NEWEST))
    if (act === 'rotate') await rotate(env, pools.system)
    const begun = act === 'seal-contacts' && (await switchContacts(env, pools.system))
    const gone = act === 'retire' ? await retire(env, pools, keys) : []
    await show(env, pools)
    if (act === 'rotate')
      say('\nThe new key seals in 45 seconds; a worker then seals again what is there. Back it up now.')
    if (begun)
      say(
        '\nNumbers and email addresses of patients are sealed from 45 seconds on; a worker then seals those that are there.',
      )
    if (act === 'seal-contacts' && !begun) say('\nNumbers and email addresses of patients are sealed already.')
    if (gone.length > 0)
      say(
        `\nNothing here is sealed with ${gone.join(', ')} any more. Backups made until now are: keep it as long as them.`,
      )
  })
})

function verify({ opened, altered, columns }: Tried): void {
  const values = (n: number) => `${n} sealed ${n === 1 ? 'value' : 'values'}`
  say(`${values(opened)} of ${columns} ${columns === 1 ? 'column' : 'columns'} ${opened === 1 ? 'opens' : 'open'}.`)
  if (altered === 0) return
  say(`${values(altered)} ${altered === 1 ? 'does' : 'do'} not open.`.toUpperCase())
  process.exitCode = 1
}

async function show(env: Env, pools: Pools): Promise<void> {
  const { source, inHand, wrapping, columns, contacts } = await keyStatus(env, pools.system)
  const place = { KEYS: 'KEYS', SECRET: 'SECRET', file: keyFile(env) }[source]
  say(`Keys in ${place}: ${inHand.join(', ')}. What is in the database opens with ${wrapping.join(' or ')}.`)
  if (contacts !== 'sealed') say(`  ${CONTACTS[contacts]}`)
  for (const one of columns) say(`  ${one.column.padEnd(24)}${lineOf(one)}`)
}

function lineOf({ keys, since, pharmacies, of, values, through, altered, place }: ColumnStatus): string {
  const when = since.toISOString().slice(0, 16).replace('T', ' ')
  const far = through ? 'everything sealed with it' : place ? `${pharmacies} of ${of} pharmacies done` : 'not done'
  const but = altered ? ', some do not open' : ''
  return `${keys === 1 ? '1 key: ' : `${keys} keys:`} newest since ${when} UTC, ${far}, ${values} values sealed again${but}`
}
