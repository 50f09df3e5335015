import { resolve } from 'node:path'
import { findSecret } from '../api/secret.ts'
import { openPools } from '../db/database.ts'
import { runningEmbedded } from '../db/embedded.ts'
import { readEnv } from '../env.ts'
import { registerAnchors } from '../features/s8/verify/register-anchor.ts'
import { verifyRegisters } from '../features/s8/verify/register-check.jobs.ts'
import { registerFaultSentence } from '../features/s8/verify/verify-register.ts'
import { command } from './command.ts'

const say = (line: string) => void process.stdout.write(`${line}\n`)

/**
 * npm run verify-register: checks every entry of every pharmacy's register of Schedule 8 medicines against its chain and its anchor in
 * DATA_DIR, and names pharmacy and entry of the first of each that is not as it was written. Exits with 1 when there is one.
 */
await command(async () => {
  const env = readEnv(process.env)
  const secret = await findSecret(env)
  if (!secret)
    throw new Error('The key of this installation was not found: set DATA_DIR or SECRET as Pillar itself has it.')
  const url = env.DATABASE_URL ?? (await runningEmbedded(env.DATA_DIR))
  if (!url) throw new Error('No database found: start Pillar first ("npm start"), or set DATABASE_URL or DATA_DIR.')
  const anchors = await registerAnchors({ env, secret })
  const pools = openPools(url, () => {}, 4)
  try {
    const began = performance.now()
    const verdicts = await verifyRegisters({ pools, env, secret, now: () => new Date() })
    const seconds = (performance.now() - began) / 1000
    const entries = verdicts.reduce((sum, verdict) => sum + verdict.entries, 0)
    const against =
      anchors.size === 0 ? `no anchors (none in ${resolve(env.DATA_DIR, 's8')})` : `${anchors.size} anchors`
    say(`${entries} entries of ${verdicts.length} registers, held against ${against}, in ${seconds.toFixed(1)} s.`)
    const broken = verdicts.filter(({ fault }) => fault !== null)
    for (const verdict of broken) say(registerFaultSentence(verdict))
    if (broken.length === 0) say('Every register is as it was written.')
    else process.exitCode = 1
  } finally {
    await pools.close()
  }
})
