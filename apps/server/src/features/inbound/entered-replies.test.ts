import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeMessagingWorld, makePatients, makeRun } from '../../../test/messaging.ts'
import { FakePhones } from '../../../test/outside/fake-gateway.ts'
import { asOwner } from '../../../test/people.ts'
import { sendAll } from '../../../test/sending.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { httpReplyId } from '../../gateways/sms/sms-http-events.ts'
import { readReplies } from './entered-replies.ts'
import { processEvents } from './events.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { SECRET: 's'.repeat(32) } })
})
afterAll(() => server.close())

const HEAD = 'from,to,text,at,id\n'
const KEY = Buffer.alloc(32, 1)

function replies(content: string): string {
  const { DATA_DIR } = server.services.env
  const file = join(DATA_DIR, 'replies.csv')
  writeFileSync(file, content)
  const script = fileURLToPath(new URL('../../cli/replies.ts', import.meta.url))
  const { SECRET } = server.services.env
  const env = { ...process.env, DATABASE_URL: server.servingUrl, DATA_DIR, SECRET }
  const { stdout, stderr } = spawnSync(process.execPath, [script, file], { env, encoding: 'utf8' })
  return stdout + stderr
}

it('a STOP that only the gateway knew after a restore is entered once, carried out, and not confirmed again', async () => {
  const phones = new FakePhones()
  const services = { ...server.services, sms: phones.gateway() }
  const world = await makeMessagingWorld(server)
  const [patient] = await makePatients(server, world.locations[0]!.id, 1)
  await makeRun(server, world, { patients: [patient!] })
  await sendAll(services)
  const minutesAgo = (n: number) => new Date(Date.now() - n * 60_000).toISOString()
  await asOwner(server, 'insert into restore_gap (since, until) values ($1, $2)', [minutesAgo(60), minutesAgo(5)])
  const file = `${HEAD}${patient!.sms_to},+61400000000,STOP,${minutesAgo(30)},SM1\n`
  expect(replies(file)).toBe('1 reply is entered. A worker carries them out.\n')
  expect(replies(file)).toBe('0 replies are entered, 1 of the file Pillar had already. A worker carries them out.\n')
  while ((await processEvents(services)) > 0);
  await sendAll(services)
  expect(await asOwner(server, 'select sms_marketing from consent where patient_id = $1', [patient!.id])).toEqual([
    { sms_marketing: 'out' },
  ])
  expect(phones.accepted.size).toBe(1)
})

describe('a file of replies', () => {
  it('is read in the order of their times; the same reply has the same id each time', () => {
    const late = '+61491570006,+61400000000,START,2026-11-25T18:00:00Z,b'
    const early = '+61491570006,,"STOP, please",2026-11-25T18:00:00+11:00,'
    const read = () => readReplies(`${HEAD}${late}\n${early}\n`, KEY, 'twilio')
    expect(read().map(({ at }) => at)).toEqual(['2026-11-25T07:00:00.000Z', '2026-11-25T18:00:00.000Z'])
    expect(read()[1]!.id).toBe('reply-b')
    // A line that an export repeats is one reply.
    expect(readReplies(`${HEAD}${late}\n${late}\n`, KEY, 'twilio')).toHaveLength(2)
    expect(read()[0]!.id).toBe(read()[0]!.id)
    expect(read()[0]!.id).not.toContain('61491570006')
    // As a call of the same gateway names it, where an id alone may come again.
    const [again] = readReplies(`${HEAD}${late}\n`, KEY, 'http')
    expect(again!.id).toBe(httpReplyId(KEY, 'b', { from: '+61491570006', text: 'START' }))
  })

  it.each([
    ['', 'must name the columns'],
    ['from,text\n+61491570006,STOP\n', 'must name the columns'],
    [`${HEAD}0491570006,,STOP,2026-11-25T18:00:00Z,\n`, 'Reply 1 of the file is not usable: from is no number'],
    [`${HEAD}+61491570006,,STOP,25/11/2026 18:00,\n`, 'at is no time with its zone'],
    [`${HEAD}+61491570006,,STOP,2026-11-25T18:00:00Z,1.23457E+17\n`, 'id is a number that a spreadsheet has shortened'],
    [
      `${HEAD}+61491570006,,Hi,2026-11-25T18:00:00Z,7\n+61491570007,,STOP,2026-11-25T18:00:00Z,8\n+61491570008,,STOP,2026-11-25T18:00:00Z,7\n`,
      'Replies 1 and 3 of the file have the same id, and are two replies.',
    ],
  ])('%j is refused', (content, sentence) => {
    expect(() => readReplies(content, KEY, 'twilio')).toThrow(sentence)
  })
})
