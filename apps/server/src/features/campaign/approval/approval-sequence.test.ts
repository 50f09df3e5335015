import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner } from '../../../../test/people.ts'
import { makeSupport } from '../../../../test/support.ts'
import { type ApprovalDesk, openApprovalDesk } from '../../../../test/world/approval-desk.ts'
import { makeSequence } from '../../../../test/world/sequence-world.ts'

let desk: ApprovalDesk
beforeAll(async () => {
  desk = await openApprovalDesk()
})
afterAll(() => desk.server.close())

const HARMLESS = '{Pharmacy Name}: How are you going?'
const HARMFUL = '{Pharmacy Name}: Stop taking your tablets.'

/** A head office text that a pharmacy's sequence sends. */
async function sequenceText(title: string) {
  const text = await desk.text(HARMLESS)
  const id = await makeSequence(desk.server, desk.world, [3], { title })
  await asOwner(
    desk.server,
    'update follow_up set template_id = (select id from template where uuid = $2) where sequence_id = $1',
    [id, text.id],
  )
  return { ...text, sequence: id }
}

const stored = async (uuid: string) =>
  (
    await asOwner<{ body: string; name: string }>(desk.server, 'select body, name from template where uuid = $1', [
      uuid,
    ])
  )[0]!

it('in a company that needs approval, one person cannot change what an active sequence sends', async () => {
  const text = await sequenceText('Starting a new medicine')
  const { name } = await stored(text.id)
  const ask = async (more: object) => {
    const body = { name, body: HARMLESS, sms_template: true, message_kind: 'health_outreach', ...more }
    const headers = await desk.grant('save', text.id)
    return desk.server.call<{ message: string }>(`/api/template/${text.id}/edit/enterprise`, body, headers)
  }
  for (const more of [{ body: HARMFUL }, { message_kind: 'marketing' }, { email_template: true, subject: 'News' }]) {
    const { status, body } = await ask(more)
    expect([status, body.message]).toEqual([
      409,
      'The active sequence “Starting a new medicine” sends this template, and sequences go out without an approval. Save it as a new template, or ask support to change it.',
    ])
  }
  expect((await stored(text.id)).body).toBe(HARMLESS)
  expect((await ask({ name: `${name} renamed` })).status).toBe(200)
})

it('support may change it, and head office if no active sequence sends it or no approval is needed', async () => {
  const support = await makeSupport(desk.server)
  const text = await sequenceText('Repeat reminder')
  const { edit } = contract.templateAdmin
  expect((await support.ask(edit, { template_ids: [text.id], body: HARMFUL })).status).toBe(200)
  expect(await text.edit(HARMLESS)).toBe(409)
  await desk.require(false)
  expect(await text.edit(HARMLESS)).toBe(200)
  await desk.require(true)
  await asOwner(desk.server, 'update sequence set active = false where id = $1', [text.sequence])
  expect(await text.edit(HARMFUL)).toBe(200)
})
