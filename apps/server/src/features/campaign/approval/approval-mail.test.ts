import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner, mailTo, makeLogin } from '../../../../test/people.ts'
import { type ApprovalDesk, openApprovalDesk } from '../../../../test/world/approval-desk.ts'
import { mailApproval } from './approval-mail.jobs.ts'

let desk: ApprovalDesk
beforeAll(async () => {
  // The tests run it themselves. On a slow machine the worker would run it too, and each letter would come twice.
  desk = await openApprovalDesk([mailApproval.name])
})
afterAll(() => desk.server.close())

type Payload = Parameters<typeof mailApproval.run>[0]
/** Runs the jobs that were queued since the last time. */
async function runJobs() {
  const { server } = desk
  const queued = await asOwner<{ data: Payload }>(
    server,
    `with taken as (delete from pgboss.job where name = 'mail-approval' returning created_on, data) select data from taken order by created_on`,
  )
  for (const { data } of queued) await mailApproval.run(mailApproval.payload.parse(data), server.services)
  return queued.length
}
const author = async () => {
  const [row] = await asOwner<{ email: string }>(
    desk.server,
    `select l.email from campaign_approval a join login l on l.id = a.asked_by order by a.id desc limit 1`,
  )
  return row!.email
}

it('whoever may approve a campaign is emailed when approval is asked for, and nobody else', async () => {
  const { server, world, second } = desk
  const supplier = await makeLogin(server, world.company.id, { flags: ['supplier_analytics'] })
  const { id } = await desk.asked()
  await runJobs()
  const letters = await mailTo(server, second.login.email)
  expect(letters).toHaveLength(1)
  expect(letters[0]!.subject).toMatch(/^Please approve a campaign: /)
  expect(letters[0]!.text).toContain('up to 12 people and $50.00')
  expect(letters[0]!.text).toContain(`/campaigns/${id}`)
  for (const email of [await author(), supplier.email]) expect(await mailTo(server, email)).toEqual([])
})

it('whoever asked is emailed what was decided, with the reason', async () => {
  const declined = await desk.asked()
  await desk.ask(desk.second, declined.id, 'approval-decline', { hash: declined.hash, reason: 'Too many people' })
  await desk.approved()
  await runJobs()
  const letters = (await mailTo(desk.server, await author())).map(({ subject, text }) => `${subject}: ${text}`)
  expect(letters).toHaveLength(2)
  expect(letters.find((one) => one.includes('declined'))).toContain('Robin Vale declined it: “Too many people”')
  expect(letters.find((one) => one.includes('approved'))).toContain('Robin Vale approved it')
})

it('a request that has ended meanwhile is not emailed', async () => {
  const before = await mailTo(desk.server, desk.second.login.email)
  const { id } = await desk.asked()
  await asOwner(
    desk.server,
    `update campaign_approval set state = 'voided', ended_at = now() where state = 'waiting' and campaign_id = (select id from campaign where uuid = $1)`,
    [id],
  )
  expect(await runJobs()).toBeGreaterThan(0)
  expect(await mailTo(desk.server, desk.second.login.email)).toHaveLength(before.length)
})
