import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readEnv } from '../env.ts'
import { readAnchors } from '../features/audit/anchor.ts'
import { isOld } from '../features/audit/verify.queries.ts'
import { faultSentence, verifyAudit } from '../features/audit/verify.ts'
import { asSystem, command, say, secretOf } from './command.ts'

const USAGE = `npm run verify-audit [-- --anchored]
Walks every chain of the audit, holds them against the anchors in DATA_DIR, and names the first row of each that was altered, removed, moved
or cut off. Exits with 1 when there is one, and with --anchored also where there should be anchors and are none: the folder beside a restored
database is not the one that belongs to it.
The database is DATABASE_URL, else the one of the Pillar running from DATA_DIR.`

await command(USAGE, async () => {
  const { values } = parseArgs({ options: { anchored: { type: 'boolean' } } })
  const env = readEnv(process.env)
  const began = performance.now()
  const secret = await secretOf(env)
  const anchors = await readAnchors(env.DATA_DIR, secret)
  const { rows, chains, faults, bare } = await asSystem(async (system) => ({
    ...(await verifyAudit(system, anchors)),
    bare: values.anchored === true && anchors.length === 0 && (await isOld(system)),
  }))
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const against =
    anchors.length === 0 ? `no anchors (none in ${resolve(env.DATA_DIR, 'audit')})` : `${anchors.length} anchors`
  say(`${rows} rows in ${chains} chains, held against ${against}, in ${seconds} s.`)
  for (const fault of faults) say(faultSentence(fault))
  say(faults.length === 0 ? 'The audit is as it was written.' : 'THE AUDIT IS NOT AS IT WAS WRITTEN.')
  if (bare)
    say(
      'There are no anchors although the audit is more than two days old, so nobody can tell whether its end was cut off. Look whether DATA_DIR is the one of this database.',
    )
  if (faults.length > 0 || bare) process.exitCode = 1
})
