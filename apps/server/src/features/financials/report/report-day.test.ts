import { contract } from '@pillar/contract'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCompany, makeLogin, signIn } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { untilWaiting } from '../../../../test/waiting.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('of two people who choose the day of the reports for the first time, the second learns of the first', async () => {
  const login = await makeLogin(server, (await makeCompany(server)).id, { flags: ['data_analytics'] })
  const { bearer } = await signIn(server, login)
  const writing = new pg.Client({ connectionString: server.ownerUrl })
  await writing.connect()
  // Anybody may read the day, and nobody save one yet.
  await writing.query('begin; lock table report_mail_rule in share mode')
  const answers = [2, 3].map((business_day) =>
    server.call(contract.reportMail.saveDay.path, { business_day, version: 0 }, bearer),
  )
  await untilWaiting(server, 2)
  await writing.end()
  expect((await Promise.all(answers)).map(({ status }) => status).sort()).toEqual([200, 409])
})
