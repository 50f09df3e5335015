import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { registerAnchors } from '../features/s8/verify/register-anchor.ts'
import { unanchoredRegisters, verifyRegisters } from '../features/s8/verify/register-check.jobs.ts'
import { registerFaultSentence } from '../features/s8/verify/verify-register.ts'
import { command, say, secretOf, withPools } from './command.ts'

const USAGE = `npm run verify-register [-- --anchored]
Checks every entry of every pharmacy's register of Schedule 8 medicines against its chain and its anchor in DATA_DIR, and names pharmacy and
entry of the first of each that is not as it was written. Exits with 1 when there is one, and with --anchored also where a register should have
an anchor and has none: the folder beside a restored database is not the one that belongs to it.
The database is DATABASE_URL, else the one of the Pillar running from DATA_DIR.`

await command(USAGE, () => {
  const { values } = parseArgs({ options: { anchored: { type: 'boolean' } } })
  return withPools(4, async (pools, env) => {
    const secret = await secretOf(env)
    const anchors = await registerAnchors({ env, secret })
    const began = performance.now()
    const verdicts = await verifyRegisters({ pools, env, secret, now: () => new Date() })
    const bare = values.anchored ? await unanchoredRegisters({ pools, env, secret }, verdicts) : []
    const seconds = (performance.now() - began) / 1000
    const entries = verdicts.reduce((sum, verdict) => sum + verdict.entries, 0)
    const against =
      anchors.size === 0 ? `no anchors (none in ${resolve(env.DATA_DIR, 's8')})` : `${anchors.size} anchors`
    say(`${entries} entries of ${verdicts.length} registers, held against ${against}, in ${seconds.toFixed(1)} s.`)
    const broken = verdicts.filter(({ fault }) => fault !== null)
    for (const verdict of broken) say(registerFaultSentence(verdict))
    if (broken.length === 0) say('Every register is as it was written.')
    for (const { pharmacy } of bare)
      say(
        `${pharmacy}: its register began more than two days ago and has no anchor, so nobody can tell whether its end was cut off. Look whether DATA_DIR is the one of this database.`,
      )
    if (broken.length + bare.length > 0) process.exitCode = 1
  })
})
