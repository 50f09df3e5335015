import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MailServer, startMailServer } from '../../../test/outside/mail-server.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { jobs } from '../index.ts'
import { queueMail, queueOneOfMany } from './mail.jobs.ts'

let smtp: MailServer
let server: TestServer
beforeAll(async () => {
  smtp = await startMailServer()
  server = await startTestServer({ env: { SMTP_URL: smtp.url } })
})
afterAll(async () => {
  await server.close()
  smtp.close()
})

it('a link for a new password does not wait for the monthly reports that were written before it', async () => {
  const { pools, queue } = server.services
  const letter = (subject: string) => ({ to: 'robin@mail.example', subject, text: 'Hello.' })
  await pools.system.transaction().execute(async (tx) => {
    for (let month = 1; month <= 12; month++) await queueOneOfMany(tx, server.services, letter(`Report ${month}`))
  })
  await pools.system.transaction().execute((tx) => queueMail(tx, server.services, letter('Password'), 3_600))
  await queue.work(
    jobs.filter(({ name }) => name === 'mail'),
    server.services,
  )
  await expect.poll(() => smtp.received.length, { timeout: 60_000 }).toBe(13)
  const subjects = smtp.received.map(({ data }) => /^Subject: (.*)$/m.exec(data)?.[1]?.trim())
  // Two go at once.
  expect(subjects.indexOf('Password')).toBeLessThan(2)
})
