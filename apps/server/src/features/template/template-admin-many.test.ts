import { contract } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, makeCompany, type TestCompany } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, refusal, type Support } from '../../../test/support.ts'
import { MOST_CHANGED } from '../../db/chosen.ts'

const { search, affected, create, edit, editActiveStatus, remove, restoreMany } = contract.templateAdmin
let server: TestServer
let support: Support
let first: TestCompany
let second: TestCompany
beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
  first = await makeCompany(server, 'Acacia')
  second = await makeCompany(server, 'Banksia')
})
afterAll(() => server.close())

describe('ten thousand templates selected by filter', () => {
  const name = 'Wombat'
  beforeAll(() =>
    asOwner(
      server,
      `insert into template (uuid, company_id, name, body, sms_template, email_template, active)
       select gen_random_uuid(), case when n % 2 = 0 then $1::bigint else $2::bigint end, 'Wombat ' || n, 'Hi from {Pharmacy Name}', true, false, true
       from generate_series(1, 10000) n`,
      [first.id, second.id],
    ),
  )

  it('are counted on the server, switched, and recorded in the logs of their companies', async () => {
    const filter = { name, active: true }
    const found = await support.ask(search, filter)
    expect([found.body.total, found.body.results.length]).toEqual([10_000, 20])
    expect((await support.ask(search, { ...filter, paginate: false })).body.results).toHaveLength(10_000)
    expect((await support.ask(affected, { filter, active: false })).body.templates).toBe(10_000)
    const stale = await support.ask(editActiveStatus, { filter, expected_count: 9_999, active: false })
    expect(refusal(stale)).toEqual([409, '10,000 templates match now, not 9,999. Please look at the list again.'])
    const done = await support.ask(editActiveStatus, { filter, expected_count: 10_000, active: false })
    expect(done.body).toEqual({ updated: 10_000 })
    const again = await support.ask(editActiveStatus, { filter, expected_count: 10_000, active: false })
    expect(refusal(again)).toEqual([409, 'No template matches any more. Please look at the list again.'])
    const logs = await asOwner<{ ids: number }>(
      server,
      `select jsonb_array_length(detail -> 'ids') as ids from audit
       where action = 'templateAdmin.deactivate' and company_id in ($1, $2) order by id desc limit 2`,
      [first.id, second.id],
    )
    expect(logs.map((row) => row.ids)).toEqual([5_000, 5_000])
    const [act] = await asOwner(
      server,
      `select object, company_id from audit where action = 'templateAdmin.editActiveStatus' order by id desc limit 1`,
    )
    expect(act).toMatchObject({ company_id: null, object: expect.stringMatching(/^matching \{.*"name":"Wombat"/) })
    const edited = await support.ask(edit, {
      filter: { name },
      expected_count: 10_000,
      body: 'Hello from {Pharmacy Name}',
    })
    expect(edited.body).toEqual({ updated: 10_000 })
    // PostgreSQL now expects that nothing is deleted: a restore must not be slow because of that.
    await asOwner(server, 'analyze template')
    const gone = (await support.ask(remove, { filter: { name }, expected_count: 10_000 })).body
    expect(gone.deleted).toBe(10_000)
    expect((await support.ask(search, { name })).body.total).toBe(0)

    // One name is taken by now: all the others come back, inactive.
    const text = { name: 'wombat 2', body: 'Hi from {Pharmacy Name}', communication_type: 'sms' as const }
    const taken = { ...text, company_choice: 'specific' as const, companies: [first.uuid] }
    expect((await support.ask(create, taken)).status).toBe(200)
    const { removed_at } = gone
    const wrong = await support.ask(restoreMany, { removed_at, expected_count: 9_999 })
    expect(wrong.status).toBe(409)
    expect((await support.ask(restoreMany, { removed_at, expected_count: 10_000 })).body).toEqual({
      restored: 9_999,
      not_restored: [{ name: 'Wombat 2', reason: 'Its name is taken by now.' }],
    })
    expect((await support.ask(search, { name, active: false })).body.total).toBe(9_999)
    const old = { filter: { name }, expected_count: 1 }
    await asOwner(
      server,
      `update template set removed_at = removed_at - interval '30 days' where removed_at is not null`,
    )
    expect((await support.ask(restoreMany, old)).body).toEqual({
      restored: 0,
      not_restored: [{ name: 'Wombat 2', reason: 'It was deleted over 30 days ago.' }],
    })
  })

  it('may be at most twice as many in one call, and a deletion of all of them can be undone', async () => {
    await asOwner(
      server,
      `insert into template (uuid, company_id, name, body, sms_template, email_template, active)
       select gen_random_uuid(), $1, 'Numbat ' || n, 'Hi from {Pharmacy Name}', true, false, true from generate_series(1, $2::int) n`,
      [first.id, MOST_CHANGED + 1],
    )
    const all = { filter: { name: 'Numbat' }, expected_count: MOST_CHANGED + 1 }
    const sentence =
      'At most 20,000 templates can be changed at once. Please narrow the list and do it in parts. Nothing was changed.'
    for (const [call, input] of [
      [remove, all],
      [editActiveStatus, { ...all, active: false }],
      [edit, { ...all, body: 'Hello from {Pharmacy Name}' }],
    ] as const)
      expect(refusal(await support.ask(call, input))).toEqual([409, sentence])
    await asOwner(server, `delete from template where name = 'Numbat 1'`)
    const gone = (await support.ask(remove, { ...all, expected_count: MOST_CHANGED })).body
    const back = await support.ask(restoreMany, { removed_at: gone.removed_at, expected_count: MOST_CHANGED })
    expect(back.body).toEqual({ restored: MOST_CHANGED, not_restored: [] })
  })

  it('take either ids or a filter, never both', async () => {
    const both = await support.ask(remove, { filter: { name }, template_ids: [support.login.uuid] })
    expect(both.status).toBe(422)
  })
})
