import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makePatients } from '../../../test/messaging.ts'
import { asOwner, makeCompany, makeLocation } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { insertMail } from '../../features/mail/mail.queries.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

function keys(...words: string[]) {
  const env = { ...process.env, DATABASE_URL: server.servingUrl, DATA_DIR: server.services.env.DATA_DIR }
  const script = fileURLToPath(new URL('../../cli/keys.ts', import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], { env, encoding: 'utf8' })
  return { status, stdout, stderr }
}

it('the command shows the state of the keys, starts a rotation, and ends none too early', () => {
  const first = keys()
  expect(first.status).toBe(0)
  const [, id] =
    /^Keys in \S+\/keys: ([0-9a-f]{16})\. What is in the database opens with \1\.\n/.exec(first.stdout) ?? []
  expect(first.stdout).toMatch(/\n {2}patient\.address +1 key: +newest since 20\d\d-\d\d-\d\d \d\d:\d\d UTC, /)
  const begun = keys('rotate')
  expect(begun.stdout).toMatch(
    new RegExp(`: ${id}, ([0-9a-f]{16})\\. What is in the database opens with .+ or .+\\.\n`),
  )
  expect(begun.stdout).toMatch(/\n {2}patient\.address +2 keys: newest since /)
  expect(begun.stdout).toContain('Back it up now.')
  expect(keys('rotate')).toMatchObject({ status: 2, stderr: expect.stringContaining('A rotation is under way') })
  expect(keys('retire')).toMatchObject({ status: 2, stderr: expect.stringContaining('Not everything is sealed') })
  expect(keys('remove')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('Say nothing, rotate, retire, seal-contacts or verify'),
  })
})

it('the command tests whether sealed values open, and fails if they do not', async () => {
  const { pools, keys: ours } = server.services
  const letter = { recipient: 'ada@mail.example', subject: 'Hello', body: Buffer.from(''), now: new Date() }
  await pools.system.transaction().execute((tx) => insertMail(tx, ours, letter))
  const [mail] = await asOwner<{ uuid: string }>(server, 'select uuid from mail')
  expect(keys('verify')).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringMatching(/^1 sealed value of 1 column opens\.\n$/m),
  })
  await asOwner(server, 'update mail set recipient_sealed = set_byte(recipient_sealed, 40, 1) where uuid = $1', [
    mail!.uuid,
  ])
  const company = await makeCompany(server, 'Seaside Group')
  const pharmacy = await makeLocation(server, company.id, 'Harbour Pharmacy')
  await makePatients(server, pharmacy.id, 1)
  await asOwner(server, 'update patient set mobile_sealed = set_byte(mobile_sealed, 40, 1)')
  const { status, stdout } = keys('verify')
  expect([status, stdout.split('\n')]).toEqual([
    1,
    expect.arrayContaining([
      `A value of mail.recipient does not open: row ${mail!.uuid}.`,
      `A value of patient.mobile does not open: Harbour Pharmacy of Seaside Group (pharmacy ${pharmacy.id}).`,
      '2 SEALED VALUES DO NOT OPEN.',
    ]),
  ])
})

it('the command reports that contacts are not sealed, and starts sealing them', async () => {
  await asOwner(server, 'delete from data_key where switched')
  expect(keys()).toMatchObject({ status: 0, stdout: expect.stringContaining('patients are not all sealed') })
  const begun = keys('seal-contacts')
  expect([begun.status, begun.stderr]).toEqual([0, ''])
  expect(begun.stdout).toContain('that were stored before are being sealed.')
  expect(begun.stdout).toContain('are sealed from 45 seconds on')
})
