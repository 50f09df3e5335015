import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCampaign, makeMessagingWorld, makePatients, makeRun, statesOf } from '../../../../test/messaging.ts'
import { asOwner } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { openQueue } from '../../../api/queue.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

function afterRestore(...words: string[]) {
  const env = { ...process.env, DATABASE_URL: server.servingUrl, DATA_DIR: server.services.env.DATA_DIR }
  const script = fileURLToPath(new URL('../../../cli/after-restore.ts', import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], { env, encoding: 'utf8' })
  return { status, stdout, stderr }
}

it('the command says what it set aside, of whom, and the second time that there is nothing left', async () => {
  const world = await makeMessagingWorld(server)
  const campaign = await makeCampaign(server, world.company.id, { name: 'Repeats' })
  const patients = await makePatients(server, world.locations[0]!.id, 3)
  const startsAt = new Date(Date.now() - 7_200_000)
  const run = await makeRun(server, world, { patients, campaignId: campaign.id, startsAt })
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString()
  // As PostgreSQL writes it in its log.
  const since = hourAgo.replace('T', ' ').replace('Z', '+00')
  const first = afterRestore('--since', since)
  expect(first).toMatchObject({ status: 0, stderr: '' })
  expect(first.stdout).toContain(
    `3 messages of the campaign "Repeats", ${world.locations[0]!.name} of ${world.company.name}\n`,
  )
  expect(first.stdout).toContain(`3 messages may have been sent from ${hourAgo} to `)
  expect(await statesOf(server, run.id)).toEqual({ unknown: 3 })
  expect(afterRestore('--since', hourAgo).stdout).toContain('nothing to set aside')
  await makeRun(server, world, { patients: patients.slice(0, 2), startsAt })
  await asOwner(server, `update message set planned_at = now() + interval '1 day' where state = 'queued'`)
  const { stdout } = afterRestore('--since', hourAgo)
  expect(stdout).toContain('2 messages are planned for later and wait. If sending hours or the setting about public')
  const moved = afterRestore('--since', hourAgo, '--hours-changed').stdout
  expect(moved).toContain('2 messages may have been sent')
  expect(moved).not.toContain('planned for later')
})

it('it says what is missing, and does nothing while a worker runs', async () => {
  expect(afterRestore()).toMatchObject({ status: 2, stderr: expect.stringContaining('Say which moment') })
  const unzoned = '2026-11-25T18:00:00'
  expect(afterRestore('--since', unzoned)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('is no moment'),
  })
  const worker = await openQueue(server.servingUrl, [], server.services.log, true)
  expect(afterRestore('--since', '2026-11-25T18:00:00Z')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('Workers of Pillar run and may be sending.'),
  })
  await worker.stop()
})
