import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner, makeCompany, signIn, stepUp } from '../../../../test/people.ts'
import { makeSupport, type Support } from '../../../../test/support.ts'
import { type ApprovalDesk, CEILING, openApprovalDesk, type Sender } from '../../../../test/world/approval-desk.ts'

let desk: ApprovalDesk
let support: Support
beforeAll(async () => {
  desk = await openApprovalDesk()
  support = await makeSupport(desk.server)
})
afterAll(() => desk.server.close())

/** A campaign waiting for approval that `author` changed before the request. */
async function changedBy(author: Sender): Promise<{ id: string; hash: string }> {
  const id = await desk.create()
  const { name, filters, goal_type, measure_by, version } = (await desk.read(desk.path(id, 'info'))).body
  const body = { name, filters, goal_type, measure_by, goal: 8, version, locations: desk.places }
  const edited = await desk.ask(author, id, 'edit', { ...body, templates: [desk.template.uuid] }, 'save')
  expect(edited.status).toBe(200)
  const { body: asked } = await desk.ask(null, id, 'approval-request', CEILING)
  return { id, hash: asked.hash! }
}

const CHANGED = 'You changed this campaign, so somebody else has to approve it.'

it('an author who was removed and restored is still the author', async () => {
  const author = await desk.someone()
  const { id, hash } = await changedBy(author)
  const { uuid } = (
    await asOwner<{ uuid: string }>(desk.server, 'select uuid from login where id = $1', [author.login.id])
  )[0]!
  expect((await support.ask(contract.user.remove, { uuid })).status).toBe(200)
  expect((await support.ask(contract.user.restore, { uuid })).status).toBe(200)
  const back = { login: author.login, tab: await signIn(desk.server, author.login) }
  const said = await desk.ask(back, id, 'approval-approve', { hash }, 'activate')
  expect([said.status, said.body.message]).toEqual([403, CHANGED])
})

it('an author who was removed and created again with the same address is still the author', async () => {
  const author = await desk.someone()
  const { id, hash } = await changedBy(author)
  const anew = await desk.someone()
  await asOwner(
    desk.server,
    `update login set removed_at = now(), disabled_at = now() where id = ${author.login.id};
     update login set first_name = 'Anew', email = upper((select email from login where id = ${author.login.id})) where id = ${anew.login.id}`,
  )
  const said = await desk.ask(anew, id, 'approval-approve', { hash }, 'activate')
  expect([said.status, said.body.message]).toEqual([403, CHANGED])
  const { approver_problem, approvers } = (await desk.ask(anew, id, 'approval')).body
  expect(approver_problem).toBe(CHANGED)
  expect(approvers.filter((one) => one.startsWith('Anew'))).toEqual([])
})

it('a person who may no longer send campaigns cannot approve with a page they had open', async () => {
  const once = await desk.someone()
  const { id, hash } = await desk.asked()
  const headers = await stepUp(desk.server, once, 'activate', id)
  await asOwner(desk.server, 'update login set data_analytics = false, ecdr = true where id = $1', [once.login.id])
  const said = await desk.server.call(desk.path(id, 'approval-approve'), { hash }, headers)
  expect(said.status).toBe(403)
  expect((await desk.state(id)).state).toBe('waiting')
})

it('moving a pharmacy to another company makes the approval void', async () => {
  const { id } = await desk.approved()
  const other = await makeCompany(desk.server)
  const moved = await support.ask(contract.locationImport.run, {
    company_id: other.uuid,
    import_pharmacy_id: desk.places[1]!,
  })
  expect([moved.status, moved.body.message]).toEqual([200, undefined])
  expect(await desk.state(id)).toMatchObject({ state: 'changed', changes: ['the pharmacies'] })
  expect((await desk.activate(id)).status).toBe(409)
})
