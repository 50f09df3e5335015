import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type MailServer, startMailServer } from '../../../test/outside/mail-server.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import type { Queue } from '../../api/context.ts'
import { openQueue } from '../../api/queue.ts'
import { queueMail, sendMail } from './mail.jobs.ts'

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
beforeEach(async () => {
  smtp.received.length = 0
  await asOwner(server, `truncate mail restart identity; delete from pgboss.job where name = 'mail'`)
})

const post = (to = 'robin@mail.example', seconds?: number) =>
  server.services.pools.system
    .transaction()
    .execute((tx) => queueMail(tx, server.services, { to, subject: 'Hello', text: 'Straight to the point.' }, seconds))

describe('while the mail server is away for hours', () => {
  let queue: Queue
  afterEach(async () => {
    await queue.stop()
    server.clock.offsetMs = 0
  })
  const begin = async () => {
    queue = await openQueue(server.ownerUrl, [sendMail], server.services.log)
    await queue.work([sendMail], server.services)
  }
  /** Lets the tries of the first half hour pass, all failing. */
  const giveUp = async (letters: number) => {
    await asOwner(server, `update pgboss.job set retry_limit = 0 where name = 'mail'`)
    await begin()
    await expect.poll(() => states(), { timeout: 20_000 }).toEqual(Array(letters).fill('failed'))
    await queue.stop()
    await asOwner(server, `update pgboss.job set retry_limit = 10, retry_count = 10 where name = 'mail'`)
  }
  const states = async () =>
    (await asOwner<{ state: string }>(server, `select state from pgboss.job where name = 'mail' order by id`)).map(
      ({ state }) => state,
    )
  const later = async (minutes: number) => {
    server.clock.offsetMs += minutes * 60_000
    await asOwner(
      server,
      `update pgboss.job set completed_on = completed_on - make_interval(mins => $1), created_on = created_on - make_interval(mins => $1)
       where name = 'mail'`,
      [minutes],
    )
    await begin()
  }

  it('a letter waits and is sent once it is back, but one with an expired link stays given up', async () => {
    await post('week@mail.example')
    await post('reset@mail.example', 60 * 60)
    await post('day@mail.example', 24 * 60 * 60)
    smtp.answer = '421 away'
    await giveUp(3)
    smtp.answer = '250 taken'
    await later(120)
    await expect.poll(() => smtp.received.flatMap(({ to }) => to).toSorted(), { timeout: 10_000 }).toHaveLength(2)
    await expect
      .poll(async () => (await states()).toSorted(), { timeout: 10_000 })
      .toEqual(['completed', 'completed', 'failed'])
    expect(smtp.received.flatMap(({ to }) => to).toSorted()).toEqual(['<day@mail.example>', '<week@mail.example>'])
    const [left] = await asOwner<{ failure: string }>(server, 'select failure from mail where sent_at is null')
    expect(left!.failure).toBe('It was given up: what it offers has run out.')
    // Nor is it tried for the rest of a week.
    await queue.stop()
    await later(120)
    await new Promise((done) => setTimeout(done, 1_000))
    expect((await states()).filter((state) => state === 'failed')).toHaveLength(1)
  })

  it('a letter that the server refuses for good is not tried for a week', async () => {
    await post('gone@mail.example')
    smtp.answer = '550 no such user'
    await giveUp(1)
    smtp.answer = '250 taken'
    await later(120)
    await new Promise((done) => setTimeout(done, 1_500))
    expect(smtp.received).toEqual([])
    expect(await states()).toEqual(['failed'])
  })

  it('a letter from an earlier version, whose link’s validity is unknown, expires after an hour', async () => {
    await post()
    await asOwner(server, `update pgboss.job set data = data - 'until' where name = 'mail'`)
    smtp.answer = '421 away'
    await giveUp(1)
    smtp.answer = '250 taken'
    await later(120)
    await new Promise((done) => setTimeout(done, 1_500))
    expect([smtp.received, await states()]).toEqual([[], ['failed']])
  })
})
