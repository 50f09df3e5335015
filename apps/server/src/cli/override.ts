import { parseArgs } from 'node:util'
import { daysBefore, ENDED_UPLOAD_DAYS } from '@pillar/domain/access/retention'
import type { Database } from '../db/database.ts'
import { endOfUpload, overridableUploads, overrideUpload } from '../features/upload/override.queries.ts'
import { asSystem, command, say } from './command.ts'

const USAGE = `npm run override -- UUID --by NAME --reason TEXT [--no-wait]
Forces an upload that waits or ended in ERROR: it is loaded without the check that its rows have not fallen by half. Who asked and why stands in the
company's log. Without a UUID: lists the uploads this could be done to.
The database is DATABASE_URL, else the one of the Pillar running from DATA_DIR.`

/** A worker checks the queue every half minute. */
const LONGEST_WAIT_MS = 120_000
const POLL_MS = 500

function options() {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { by: text, reason: text, 'no-wait': { type: 'boolean' } },
  })
  const [uuid] = positionals
  const [by, reason] = [values.by?.trim().slice(0, 100), values.reason?.trim().slice(0, 500)]
  if (positionals.length > 1) throw new Error(`Give one upload.\n\n${USAGE}`)
  if (uuid === undefined) return null
  if (!by || !reason) throw new Error(`Say who asks and why.\n\n${USAGE}`)
  return { uuid, by, reason, wait: !values['no-wait'] }
}

async function list(system: Database): Promise<void> {
  const found = await overridableUploads(system, daysBefore(new Date(), ENDED_UPLOAD_DAYS))
  if (found.length === 0) say(`No upload waits, and none failed in the last ${ENDED_UPLOAD_DAYS} days.`)
  for (const { uuid, state, pharmacy, company, notes } of found) {
    say(`${uuid}  ${state.padEnd(8)}  ${pharmacy} of ${company}`)
    if (notes) say(`  ${notes}`)
  }
}

/** Waits until the upload is loaded. @returns the exit code */
async function untilLoaded(system: Database, uuid: string): Promise<number> {
  for (const began = performance.now(); performance.now() - began < LONGEST_WAIT_MS; ) {
    const { state, notes } = (await endOfUpload(system, uuid)) ?? { state: 'ERROR', notes: 'It was deleted.' }
    if (state === 'COMPLETED' || state === 'ERROR') {
      say(`${state}. ${notes}`)
      return state === 'COMPLETED' ? 0 : 1
    }
    await new Promise((done) => setTimeout(done, POLL_MS))
  }
  say('It is not loaded yet. Pillar goes on by itself; without a running worker it waits.')
  return 0
}

await command(
  USAGE,
  async () => {
    const given = options()
    await asSystem(async (system) => {
      if (!given) return list(system)
      const { pharmacy, later } = await system.transaction().execute((tx) => overrideUpload(tx, given))
      say(`The upload of ${pharmacy} is in OVERRIDE and will be loaded within half a minute.`)
      if (later > 0)
        say(
          `${later} newer uploads of it were loaded before: what both hold will be as in this one. Send those again afterwards.`,
        )
      if (given.wait) process.exitCode = await untilLoaded(system, given.uuid)
    })
  },
  'If the upload is in OVERRIDE, Pillar loads it by itself; if not, "npm run override" still lists it.',
)
