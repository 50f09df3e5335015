import { randomUUID } from 'node:crypto'
import { contract } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  asOwner,
  mailTo,
  makeCompany,
  makeLocation,
  makeLogin,
  signIn,
  type TestCompany,
} from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'

const { locations, link, unlink, linkMany, sync, notifications, sendWelcome } = contract.userLink
let server: TestServer
let support: Support
let company: TestCompany
type Place = Awaited<ReturnType<typeof makeLocation>>
let a: Place
let b: Place
beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
  company = await makeCompany(server)
  a = await makeLocation(server, company.id, 'Acacia')
  b = await makeLocation(server, company.id, 'Banksia')
})
afterAll(() => server.close())

const linkedTo = async (id: string) =>
  (await support.ask(locations, { id })).body.data.map((place) => `${place.company.name}: ${place.name}`)

describe('links of users to pharmacies', () => {
  it('are created, created again without harm, listed by company, and removed', async () => {
    const user = await makeLogin(server, company.id)
    const other = await makeCompany(server, `${company.name} B`)
    const c = await makeLocation(server, other.id, 'Correa')
    for (const place of [b, a, c, a]) {
      const { body } = await support.ask(link, { login_id: user.uuid, location_id: place.uuid })
      expect(body.message).toBe('Location(s) successfully linked.')
    }
    const all = [`${company.name}: Acacia`, `${company.name}: Banksia`, `${other.name}: Correa`]
    expect(await linkedTo(user.uuid)).toEqual(all)
    await asOwner(server, 'update location set owner_login_id = $1 where id = $2', [user.id, b.id])
    const owned = (await support.ask(locations, { id: user.uuid })).body.data.map(({ name, owner }) => [name, owner])
    expect(owned).toEqual([
      ['Acacia', false],
      ['Banksia', true],
      ['Correa', false],
    ])
    expect((await support.ask(unlink, { login_id: user.uuid, location_id: b.uuid })).status).toBe(200)
    expect(await linkedTo(user.uuid)).toEqual([all[0], all[2]])
    expect((await support.ask(unlink, { login_id: user.uuid, location_id: b.uuid })).status).toBe(409)
    const logged = await asOwner(
      server,
      `select distinct company_id from audit where action = 'userLink.link' and detail->'ids' ? $1 and login_id = $2`,
      [c.uuid, support.login.id],
    )
    expect(logged).toEqual([{ company_id: other.id }])
  })

  it('that fail are reported one by one, and the others are kept', async () => {
    const [good, off] = [await makeLogin(server, company.id), await makeLogin(server, company.id)]
    await asOwner(server, 'update login set disabled_at = now() where id = $1', [off.id])
    const gone = await makeLocation(server, company.id, 'Grevillea')
    await asOwner(server, 'update location set removed_at = now() where id = $1', [gone.id])
    const asked = { login_ids: [good.uuid, off.uuid], location_ids: [a.uuid, gone.uuid] }
    const { status, body } = await support.ask(linkMany, asked)
    expect([status, body.linked]).toEqual([200, 1])
    // Nor does a user's list contain a linked pharmacy that has left.
    await asOwner(server, 'insert into login_location (location_id, company_id, login_id) values ($1, $2, $3)', [
      ...[gone.id, company.id, good.id],
    ])
    expect(body.failed.map(({ login_id, location_id }) => [login_id, location_id])).toEqual([
      [good.uuid, gone.uuid],
      [off.uuid, a.uuid],
      [off.uuid, gone.uuid],
    ])
    expect(body.message.split('\n')).toEqual([
      'Could not link 3 of 4 locations. The other 1 is linked.',
      'Robin Vale, Unknown location: That location was not found.',
      'Robin Vale, Acacia: Robin Vale is disabled. Please enable the login first.',
      'Robin Vale, Unknown location: That location was not found.',
    ])
    expect(await linkedTo(good.uuid)).toEqual([`${company.name}: Acacia`])
    expect(await linkedTo(off.uuid)).toEqual([])
    const all = await support.ask(linkMany, { login_ids: [good.uuid], location_ids: [a.uuid, b.uuid] })
    expect(all.body).toMatchObject({ linked: 2, failed: [], message: 'Location(s) successfully linked.' })
    expect((await support.ask(link, { login_id: good.uuid, location_id: gone.uuid })).status).toBe(404)
    expect((await support.ask(link, { login_id: off.uuid, location_id: a.uuid })).status).toBe(409)
    const many = Array.from({ length: 30 }, () => randomUUID())
    expect((await support.ask(linkMany, { login_ids: many, location_ids: many })).status).toBe(422)
  })

  it('are not replaced from a list that somebody else has changed since; pharmacies that have left do not count', async () => {
    const user = await makeLogin(server, company.id)
    const gone = await makeLocation(server, company.id, 'Hakea')
    for (const place of [a, gone]) await support.ask(link, { login_id: user.uuid, location_id: place.uuid })
    const ask = (location_ids: string[], linked_before: string[]) =>
      support.ask(sync, { userId: user.uuid, company_id: company.uuid, location_ids, linked_before })
    await asOwner(server, 'update location set removed_at = now() where id = $1', [gone.id])
    expect((await ask([a.uuid, b.uuid], [a.uuid])).body).toEqual({ linked: 1, unlinked: 1 })
    const late = await ask([], [a.uuid])
    expect([late.status, late.body.message]).toEqual([
      409,
      'Somebody else has changed these locations. Please look at them again.',
    ])
    expect((await ask([b.uuid], [b.uuid, a.uuid])).body).toEqual({ linked: 0, unlinked: 1 })
    expect(await linkedTo(user.uuid)).toEqual([`${company.name}: Banksia`])
  })

  it('within one company are replaced by a sync, and those in other companies stay', async () => {
    const user = await makeLogin(server, company.id)
    const other = await makeCompany(server)
    const c = await makeLocation(server, other.id, 'Correa')
    for (const place of [a, c]) await support.ask(link, { login_id: user.uuid, location_id: place.uuid })
    const ask = (location_ids: string[]) =>
      support.ask(sync, { userId: user.uuid, company_id: company.uuid, location_ids })
    expect((await ask([b.uuid])).body).toEqual({ linked: 1, unlinked: 1 })
    expect(await linkedTo(user.uuid)).toEqual([`${company.name}: Banksia`, `${other.name}: Correa`].sort())
    // A pharmacy of another company is not linked through this one, and the whole call is rolled back.
    for (const wrong of [c.uuid, randomUUID()]) expect((await ask([a.uuid, wrong])).status).toBe(404)
    expect(await linkedTo(user.uuid)).toHaveLength(2)
    expect((await ask([])).body).toEqual({ linked: 0, unlinked: 1 })
    expect(await linkedTo(user.uuid)).toEqual([`${other.name}: Correa`])
  })
})

describe('welcome letters', () => {
  it('go to those selected, once each time, with a link only for people without a password', async () => {
    const own = await makeCompany(server)
    const [x, y] = [
      await makeLocation(server, own.id, 'Xanthorrhoea'),
      await makeLocation(server, own.id, 'Yellow Gum'),
    ]
    const [fresh, known, left] = [
      await makeLogin(server, own.id),
      await makeLogin(server, own.id),
      await makeLogin(server, own.id),
    ]
    await asOwner(server, 'update login set password_pending = true where id = $1', [fresh.id])
    await support.ask(linkMany, { login_ids: [fresh.uuid, known.uuid, left.uuid], location_ids: [x.uuid, y.uuid] })
    const list = async () => (await support.ask(notifications, { id: own.uuid })).body.data
    expect((await list()).map((one) => [one.created_at, one.selected])).toEqual(Array(6).fill([null, true]))
    const press = {
      login_locations: [
        { login_id: fresh.uuid, location_id: x.uuid },
        { login_id: fresh.uuid, location_id: y.uuid },
        { login_id: known.uuid, location_id: x.uuid },
      ],
    }
    for (const pressed of [1, 2]) {
      const { body } = await support.ask(sendWelcome, press)
      expect(body).toEqual({ letters: 2, notifications: 3, message: 'Welcome Email Sent Successfully' })
      for (const user of [fresh, known]) expect(await mailTo(server, user.email)).toHaveLength(pressed)
    }
    expect(await mailTo(server, left.email)).toEqual([])
    const [newest, older] = await mailTo(server, fresh.email)
    expect(newest!.text).toContain('- Xanthorrhoea\n- Yellow Gum')
    const tokens = [newest!, older!].map(({ text }) => /\/reset-password\/([\w-]{43})\n/.exec(text)![1]!)
    const check = (reset_token: string) => server.call('/api/user/check-reset-link', { reset_token })
    expect((await check(tokens[0]!)).status).toBe(200)
    expect((await check(tokens[1]!)).status).toBe(404)
    const [letter] = await mailTo(server, known.email)
    expect(letter!.text).not.toContain('reset-password')
    expect(letter!.text).not.toContain('Yellow Gum')
    const after = await list()
    const sent = after.filter((one) => one.created_at !== null)
    expect(sent.map((one) => [one.login_name, one.location_name, one.destination, one.selected]).sort()).toEqual(
      [
        [fresh.username, x.name, fresh.email, false],
        [fresh.username, y.name, fresh.email, false],
        [known.username, x.name, known.email, false],
      ].sort(),
    )
    expect(after).toHaveLength(6)
    const [last] = await asOwner<{ at: Date }>(server, 'select max(created_at) as at from onboarding_notification')
    expect(new Set(sent.map((one) => new Date(one.created_at!).getTime()))).toEqual(new Set([last!.at.getTime()]))
    // A password set by support is not their own either.
    await asOwner(server, 'update login set must_change_password = true where id = $1', [known.id])
    await support.ask(sendWelcome, { login_locations: [{ login_id: known.uuid, location_id: y.uuid }] })
    expect((await mailTo(server, known.email))[0]!.text).toContain('reset-password')
    await asOwner(server, 'update location set removed_at = now() where id = $1', [y.id])
    expect(await list()).toHaveLength(3)
  })

  it('are all held back when one of the selected is no longer linked or cannot sign in', async () => {
    const own = await makeCompany(server)
    const place = await makeLocation(server, own.id)
    const [linked, loose] = [await makeLogin(server, own.id), await makeLogin(server, own.id)]
    await support.ask(link, { login_id: linked.uuid, location_id: place.uuid })
    const pair = (login: { uuid: string }) => ({ login_id: login.uuid, location_id: place.uuid })
    const { status, body } = await support.ask(sendWelcome, { login_locations: [pair(linked), pair(loose)] })
    expect([status, body.message]).toEqual([
      409,
      '1 of 2 selected notifications no longer has a user who is linked and can sign in. Nothing was sent. Please load them again.',
    ])
    await asOwner(server, 'update login set disabled_at = now() where id = $1', [linked.id])
    expect((await support.ask(sendWelcome, { login_locations: [pair(linked)] })).status).toBe(409)
    expect(await mailTo(server, linked.email)).toEqual([])
    expect((await support.ask(notifications, { id: own.uuid })).body.data).toEqual([])
  })

  it('of another company are not among a company’s own', async () => {
    const own = await makeCompany(server)
    const user = await makeLogin(server, own.id)
    await support.ask(link, { login_id: user.uuid, location_id: a.uuid })
    expect((await support.ask(notifications, { id: own.uuid })).body.data).toEqual([])
    const theirs = (await support.ask(notifications, { id: company.uuid })).body.data
    expect(theirs.map((one) => one.login_uuid)).toContain(user.uuid)
    await signIn(server, user)
  })
})
