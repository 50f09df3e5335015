import type { contract, ReplyOf } from '@pillar/contract'
import { formatMoney } from '@pillar/domain/time/locale'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  asOwner,
  mailTo,
  makeCompany,
  makeLocation,
  makeLogin,
  type SignedIn,
  signIn,
  type TestCompany,
  type TestLogin,
} from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { countDailyPharmacy, makeDailyPharmacy } from '../../../../test/world/daily-pharmacy.ts'
import { mailDueReports } from './report-mail.jobs.ts'

type List = ReplyOf<(typeof contract)['reportMail']['list']>
type Stats = ReplyOf<(typeof contract)['financials']['stats']>

let server: TestServer
let company: TestCompany
let robin: TestLogin
let sam: TestLogin
let own: SignedIn
let other: SignedIn
let first: { id: number; uuid: string }
let slow: { id: number; uuid: string }

/** Noon in Sydney. */
const clock = (iso: string) => {
  server.clock.offsetMs = new Date(`${iso}T01:00:00Z`).getTime() - Date.now()
}
const post = <T = { id: string; version: number; message: string }>(path: string, body: object = {}, who = own) =>
  server.call<T>(`/api/report-mail/${path}`, body, who.bearer)
const list = async (who = own) => (await post<List>('list', {}, who)).body
const readerOf = async (login: TestLogin, who = own) =>
  (await list(who)).readers.find(({ username }) => username === login.username)!.id
const add = async (login: TestLogin, pharmacy_id: string | null = null, who = own) =>
  post('add', { reader_id: await readerOf(login), pharmacy_id }, who)
const reach = (iso: string) => asOwner(server, 'update location set data_to = $2 where id = $1', [slow.id, iso])
const seesFinancials = (at = company) => makeLogin(server, at.id, { flags: ['data_analytics'] })
const letters = async (login: TestLogin) =>
  (await mailTo(server, login.email)).filter(({ subject }) => subject.includes('2026'))

beforeAll(async () => {
  server = await startTestServer()
  clock('2026-11-12')
  company = await makeCompany(server)
  robin = await seesFinancials()
  sam = await seesFinancials()
  own = await signIn(server, robin)
  other = await signIn(server, sam)
  const from = '2025-06-02'
  first = await makeDailyPharmacy(server, company.id, { name: 'First', from, to: '2026-11-11', cents: () => 20_000 })
  slow = await makeDailyPharmacy(server, company.id, { name: 'Slow', from, to: '2026-10-20', cents: () => 10_000 })
  await countDailyPharmacy(server, company.id, { id: slow.id, to: '2026-10-20' })
})
afterAll(() => server.close())
beforeEach(async () => {
  await asOwner(server, 'truncate report_mail, report_mail_stop, report_mail_sent, report_mail_rule, mail')
  await reach('2026-10-31')
})

describe('a recipient of the monthly report', () => {
  it('is one of the company’s people who may see Financials', async () => {
    const blind = await makeLogin(server, company.id, { flags: ['ecdr'] })
    const { readers } = await list()
    expect(readers.map(({ username }) => username).sort()).toEqual([robin.username, sam.username].sort())
    expect(JSON.stringify(readers)).not.toContain('@')
    const [stranger] = await asOwner<{ uuid: string }>(server, 'select uuid from login where id = $1', [blind.id])
    expect((await post('add', { reader_id: stranger!.uuid, pharmacy_id: null })).status).toBe(404)
    await add(sam)
    await add(sam)
    await add(sam, first.uuid)
    const { mails } = await list()
    expect(mails.map(({ pharmacy_name, is_me, last_month }) => [pharmacy_name, is_me, last_month])).toEqual([
      [null, false, null],
      ['First', false, null],
    ])
    expect((await post(`${mails[0]!.id}/remove`)).status).toBe(200)
    expect((await list()).mails).toHaveLength(1)
  })

  it('can stop it, and nobody else can sign them up again', async () => {
    await add(sam)
    await post('stop', {}, other)
    expect((await list()).mails).toEqual([])
    const refused = await add(sam)
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'Robin Vale has stopped monthly reports. They can be switched on again in the account menu, by them alone.',
    ])
    expect((await list(other)).stopped).toBe(true)
    await post('resume', {}, other)
    expect((await add(sam)).status).toBe(200)
  })

  it('is unknown to another company', async () => {
    const rival = await signIn(
      server,
      await makeLogin(server, (await makeCompany(server)).id, { flags: ['data_analytics'] }),
    )
    const { id } = (await add(sam)).body
    expect((await list(rival)).mails).toEqual([])
    expect((await post(`${id}/remove`, {}, rival)).status).toBe(404)
    expect((await post('add', { reader_id: await readerOf(sam), pharmacy_id: null }, rival)).status).toBe(404)
  })
})

describe('the letter', () => {
  it('is sent on its business day with the figures of the screen', async () => {
    await add(sam)
    // 2 and 3 November are the first two business days common to all of Australia; the 4th is the third.
    clock('2026-11-03')
    expect(await mailDueReports(server.services)).toBe(0)
    clock('2026-11-04')
    expect(await mailDueReports(server.services)).toBe(1)
    clock('2026-11-12')
    const [letter] = await letters(sam)
    expect(letter!.subject).toBe(`${company.name}: October 2026`)
    const asked = { pharmacy_ids: [first.uuid, slow.uuid], year: 2026, month: 10 }
    const { revenue } = (await server.call<Stats>('/api/enterprise-pharmacy-stats', asked, own.bearer)).body
    expect(letter!.text).toContain(`Revenue: ${formatMoney('AU', revenue.total)}`)
    expect(letter!.text).toContain('/financials?period=2026-10&report=company')
    expect(letter!.text).toContain('The data of the whole month are in.')
    expect(letter!.text).toContain('Changes compare with 1 – 31 Oct 2025.')
    expect((await list()).mails[0]!.last_month).toBe('2026-10')
    const sent = `select login_id, object_name from audit where action = 'reportMail.sent' order by id desc limit 1`
    expect((await asOwner(server, sent))[0]).toEqual({ login_id: sam.id, object_name: company.name })
  })

  it('waits for late pharmacies, then names them', async () => {
    await reach('2026-10-20')
    await add(sam)
    await add(sam, first.uuid)
    clock('2026-11-10')
    // The pharmacy's own report waits for no other pharmacy.
    expect(await mailDueReports(server.services)).toBe(1)
    expect((await letters(sam)).map(({ subject }) => subject)).toEqual(['First: October 2026'])
    clock('2026-11-11')
    expect(await mailDueReports(server.services)).toBe(1)
    expect((await letters(sam)).map(({ text }) => text).join()).toContain('Not complete: Slow (data to 20 Oct 2026).')
    clock('2026-11-12')
  })

  it('waits while a month that ended on a weekend is known only up to its last business day', async () => {
    await add(sam)
    await post('day', { business_day: 1, version: 0 })
    await reach('2026-10-30')
    clock('2026-11-02')
    expect(await mailDueReports(server.services)).toBe(0)
    await reach('2026-11-02')
    expect(await mailDueReports(server.services)).toBe(1)
    expect((await letters(sam))[0]!.text).toContain('The data of the whole month are in.')
    clock('2026-11-12')
  })

  it('says which data it lacks: some pharmacies’, or all', async () => {
    const begun = await makeCompany(server)
    const kim = await seesFinancials(begun)
    const tab = await signIn(server, kim)
    const [silent, late] = [await makeLocation(server, begun.id), await makeLocation(server, begun.id)]
    const since = `update location set data_from = '2026-11-02', data_to = '2026-11-04' where id = $1`
    await asOwner(server, since, [late.id])
    await makeDailyPharmacy(server, begun.id, { from: '2026-10-01', to: '2026-11-11', cents: () => 1000 })
    for (const about of [null, silent.uuid, late.uuid])
      expect((await post('add', { reader_id: await readerOf(kim, tab), pharmacy_id: about }, tab)).status).toBe(200)
    expect(await mailDueReports(server.services)).toBe(3)
    const texts = new Map((await letters(kim)).map(({ subject, text }) => [subject.split(':')[0], text]))
    expect(texts.get(begun.name)).toContain('Nothing has complete data for the year before to compare with.')
    expect(texts.get(begun.name)).toContain(
      '2 of 3 pharmacies have no data for this month. The data of the others are in.',
    )
    for (const { name } of [silent, late]) expect(texts.get(name)).toContain('There are no data for this month.')
  })

  it('is sent on the day the company has chosen', async () => {
    await add(sam)
    expect((await post('day', { business_day: 7, version: 0 })).body).toEqual({ version: 1 })
    expect((await post('day', { business_day: 8, version: 0 })).status).toBe(409)
    expect((await post('day', { business_day: 11, version: 1 })).status).toBe(422)
    clock('2026-11-09')
    expect(await mailDueReports(server.services)).toBe(0)
    clock('2026-11-10')
    expect(await mailDueReports(server.services)).toBe(1)
    clock('2026-11-12')
  })

  it('is sent once to each person and month, however often the job runs and wherever it is killed', async () => {
    await add(sam)
    await add(robin)
    await add(robin, first.uuid)
    // The first letter is queued, the second breaks off before it commits, and no other follows: as a worker that is killed.
    const { send } = server.services.queue
    let sent = 0
    server.services.queue.send = async (...args) => {
      sent += 1
      if (sent >= 2) throw new Error('killed')
      return send(...(args as Parameters<typeof send>))
    }
    await expect(mailDueReports(server.services)).rejects.toThrow('killed')
    server.services.queue.send = send
    expect(await asOwner(server, 'select 1 from mail')).toHaveLength(1)
    expect(await asOwner(server, 'select 1 from report_mail_sent')).toHaveLength(1)
    const again = await Promise.all([1, 2, 3].map(() => mailDueReports(server.services)))
    expect(again.reduce((sum, one) => sum + one)).toBe(2)
    expect(await mailDueReports(server.services)).toBe(0)
    expect(await letters(robin)).toHaveLength(2)
    expect(await letters(sam)).toHaveLength(1)
    // The next month gets another email.
    clock('2026-12-03')
    await asOwner(server, `update location set data_to = '2026-11-30' where company_id = $1`, [company.id])
    expect(await mailDueReports(server.services)).toBe(3)
    await asOwner(server, `update location set data_to = '2026-11-11' where id = $1`, [first.id])
    clock('2026-11-12')
  })

  it('that cannot be made holds up no other, of the same company or another, and the job is tried again', async () => {
    const next = await makeCompany(server)
    const reader = await seesFinancials(next)
    const theirs = await signIn(server, reader)
    await makeDailyPharmacy(server, next.id, { name: 'Next', from: '2026-10-01', to: '2026-10-31', cents: () => 100 })
    const id = (await list(theirs)).readers[0]!.id
    expect((await post('add', { reader_id: id, pharmacy_id: null }, theirs)).status).toBe(200)
    await add(sam)
    await add(sam, first.uuid)
    const { send } = server.services.queue
    let sent = 0
    server.services.queue.send = async (...args) => {
      sent += 1
      if (sent === 1) throw new Error('broken')
      return send(...(args as Parameters<typeof send>))
    }
    await expect(mailDueReports(server.services)).rejects.toThrow('broken')
    server.services.queue.send = send
    expect([await letters(sam), await letters(reader)].map(({ length }) => length)).toEqual([1, 1])
    expect(await mailDueReports(server.services)).toBe(1)
    expect([await letters(sam), await letters(reader)].map(({ length }) => length)).toEqual([2, 1])
  })

  it('whose letter to one reader fails still goes to the next', async () => {
    await add(sam)
    await add(robin)
    await asOwner(server, `alter table report_mail_sent add constraint broken check (login_id <> ${sam.id}) not valid`)
    await expect(mailDueReports(server.services)).rejects.toThrow('broken')
    await asOwner(server, 'alter table report_mail_sent drop constraint broken')
    expect([await letters(sam), await letters(robin)].map(({ length }) => length)).toEqual([0, 1])
  })

  it('covers the month that was over when the job began, even if the next one begins while it runs', async () => {
    await add(sam)
    await add(robin)
    const { send } = server.services.queue
    server.services.queue.send = async (...args) => {
      clock('2026-12-01')
      return send(...(args as Parameters<typeof send>))
    }
    expect(await mailDueReports(server.services)).toBe(2)
    server.services.queue.send = send
    clock('2026-11-12')
    for (const who of [sam, robin]) {
      const subject = `${company.name}: October 2026`
      expect((await letters(who)).map((letter) => letter.subject)).toEqual([subject])
    }
    expect(await asOwner(server, 'select distinct month from report_mail_sent')).toEqual([{ month: '2026-10' }])
  })

  it('is not sent to anybody who is removed, disabled or has stopped reports while letters go out', async () => {
    const later = [await seesFinancials(), await seesFinancials(), await seesFinancials()] as const
    await add(sam)
    for (const one of later) await add(one)
    const { send } = server.services.queue
    server.services.queue.send = async (...args) => {
      await asOwner(server, 'delete from report_mail where login_id = $1', [later[0].id])
      await asOwner(server, 'update login set disabled_at = now() where id = $1', [later[1].id])
      const stop = 'insert into report_mail_stop (login_id, company_id, stopped_at) values ($1, $2, now())'
      await asOwner(server, stop, [later[2].id, company.id])
      return send(...(args as Parameters<typeof send>))
    }
    expect(await mailDueReports(server.services)).toBe(1)
    server.services.queue.send = send
    expect(await letters(sam)).toHaveLength(1)
    for (const one of later) expect(await letters(one)).toEqual([])
  })

  it('is not sent to anybody who has stopped reports, left, or lost access to Financials', async () => {
    const people = [await seesFinancials(), await seesFinancials()]
    for (const one of people) await add(one)
    await add(sam)
    await asOwner(server, 'update login set disabled_at = now() where id = $1', [people[0]!.id])
    await asOwner(server, 'update login set data_analytics = false where id = $1', [people[1]!.id])
    await post('stop', {}, other)
    expect(await mailDueReports(server.services)).toBe(0)
    expect(await asOwner(server, 'select 1 from mail')).toEqual([])
  })
})
