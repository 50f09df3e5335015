import { contract } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, makeCompany } from '../../../../test/people.ts'
import { askAs, makeSupport, refusal, type Support } from '../../../../test/support.ts'
import { type ApprovalDesk, CEILING, openApprovalDesk, type Sender } from '../../../../test/world/approval-desk.ts'

const { rules, saveRules } = contract.sending
let desk: ApprovalDesk
let support: Support
beforeAll(async () => {
  desk = await openApprovalDesk()
  support = await makeSupport(desk.server)
})
afterAll(() => desk.server.close())

describe('a company’s approval rule', () => {
  const set = async (who: Sender, approval: boolean | undefined) => {
    const ask = askAs(desk.server, who)
    const { version, ...found } = (await ask(rules, {})).body
    return ask(saveRules, { ...found, version, approval })
  }
  const isOn = async (who: Sender) => (await askAs(desk.server, who)(rules, {})).body.approval

  it('is off until head office switches it on, and only support switches it off', async () => {
    const company = await makeCompany(desk.server)
    const [first, second] = [await desk.someone(company.id), await desk.someone(company.id)]
    expect(await isOn(first)).toBe(false)
    expect((await set(first, true)).status).toBe(200)
    expect(await isOn(second)).toBe(true)
    expect(refusal(await set(first, false))).toEqual([
      403,
      'Only support can switch off approval by a second person, so that nobody can do it to send on their own.',
    ])
    expect((await set(second, undefined)).status).toBe(200)
    expect(await isOn(first)).toBe(true)
    const { ofCompany, saveCompany } = contract.sendingAdmin
    const found = (await support.ask(ofCompany, { id: company.uuid })).body
    expect(found.approval).toBe(true)
    const off = await support.ask(saveCompany, { ...found, id: company.uuid, approval: false })
    expect([off.status, off.body.approval]).toEqual([200, false])
    expect(await isOn(first)).toBe(false)
    const log = await asOwner(
      desk.server,
      `select action, detail -> 'changes' -> 0 -> 'after' ->> 'approval' as approval from audit
       where company_id = $1 and action like 'sending%.save%' order by id`,
      [company.id],
    )
    expect(log).toEqual([
      { action: 'sending.saveRules', approval: 'true' },
      { action: 'sending.saveRules', approval: null },
      { action: 'sendingAdmin.saveCompany', approval: 'false' },
    ])
  })

  it('is not switched on if nobody else could approve', async () => {
    const alone = await desk.someone((await makeCompany(desk.server)).id)
    expect(refusal(await set(alone, true))).toEqual([
      422,
      'Nobody else in your company may send campaigns, so nobody could approve yours. Ask support to add a second person first.',
    ])
  })
})

describe('support', () => {
  it('cannot send an unapproved campaign of the company, nor change an approved one without ending the approval', async () => {
    const { editActiveStatus, edit } = contract.campaignAdmin
    const id = await desk.create()
    const refused = await support.ask(editActiveStatus, { campaign_ids: [id], active: true })
    expect(refusal(refused)).toEqual([409, expect.stringContaining('needs approval by a second person')])
    const { id: approved } = await desk.approved()
    const edited = await support.ask(edit, { campaign_ids: [approved], note: 'Shorter' })
    expect([edited.status, edited.body.outcomes]).toEqual([200, [expect.objectContaining({ done: true })]])
    expect(await desk.state(approved)).toMatchObject({ state: 'changed', changes: ['the note'] })
    const log = (await desk.log(approved)).find(({ action }) => action === 'campaignApproval.void')
    expect(log).toMatchObject({ login_id: support.login.id, detail: { was: 'approved', reason: 'Changed: the note.' } })
  })

  it('ends an approval by editing or deleting a template, recorded in the company’s log', async () => {
    const { edit, remove } = contract.templateAdmin
    for (const change of [
      (id: string) => support.ask(edit, { template_ids: [id], body: '{Pharmacy Name} has news.' }),
      (id: string) => support.ask(remove, { template_ids: [id] }),
    ]) {
      const text = await desk.text('{Pharmacy Name}: as approved.')
      const id = await desk.create({ templates: [desk.template.uuid, text.id] })
      const { body } = await desk.ask(null, id, 'approval-request', CEILING)
      await desk.ask(desk.second, id, 'approval-approve', { hash: body.hash }, 'activate')
      const done = await change(text.id)
      expect([done.status, done.body.message]).toEqual([200, undefined])
      expect((await desk.state(id)).state).toBe('changed')
      expect((await desk.activate(id)).status).toBe(409)
      const log = (await desk.log(id)).find(({ action }) => action === 'campaignApproval.void')
      expect(log?.login_id).toBe(support.login.id)
    }
  })
})
