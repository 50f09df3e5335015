import { contract } from '@pillar/contract'
import { formatDay } from '@pillar/domain/time/day'
import { dayIn } from '@pillar/domain/time/zone'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, fresh } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'
import { CONSENT_TEXT, ETHICS, makePartner, makeTrial, trialDraft } from '../../../test/trial.ts'

const { search, info, create, edit, editActiveStatus } = contract.clinicalTrial
const consent = contract.trialConsentForm
const ethics = contract.trialEthics
let server: TestServer
let support: Support
beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
})
afterAll(() => server.close())

const said = ({ status, body }: { status: number; body: { message?: string } }) => [status, body.message]
const today = () => formatDay(dayIn('Australia/Sydney', server.services.now()))

describe('clinical trials in the console', () => {
  it('are added inactive, found by part of a name, and changed', async () => {
    const draft = await trialDraft(support)
    const made = await support.ask(create, { ...draft, active: true, start_date: '2026-12-01', note: 'For Jo' })
    expect(said(made)).toEqual([200, undefined])
    const trial_id = String(made.body.id)
    const { body } = await support.ask(search, { name: draft.name.toUpperCase() })
    expect(body).toMatchObject({ current_page: 1, page_count: 1, per_page: 20, total: 1 })
    expect(body.clinical_trials[0]).toMatchObject({
      trial_id,
      name: draft.name,
      note: 'For Jo',
      recruiter: { recruiter_provider_id: draft.recruiter_id, recruiter_or_provider: 'recruiter' },
      provider: { recruiter_provider_id: draft.provider_id, recruiter_or_provider: 'provider' },
      ...{ refer_rebate: 20, enroll_rebate: 100, sr_refer_rebate: 5.5, sr_enroll_rebate: 25, rebate_type: 'refer' },
      ...{ start_date: '2026-12-01', end_date: null, active: false, ethics: null, consent_form_version: null },
      templates: [{ id: draft.template_ids[0], name: expect.stringContaining('Invitation') }],
      totals: { locations: 0, total_eligible: 0, total_contacted: 0, rebate: 0 },
      not_ready: 'Before this trial can be activated, please record its ethics approval and create its consent form.',
      version: 1,
    })
    const changed = await support.ask(edit, { ...draft, trial_id, refer_rebate: 22.35, active: true, version: 1 })
    expect(changed.body).toEqual({ id: trial_id, version: 2 })
    expect((await support.ask(info, { trial_id })).body).toMatchObject({ refer_rebate: 22.35, active: false, note: '' })
    const [row] = await asOwner<{ changes: { before: object; after: object }[] }>(
      server,
      `select detail -> 'changes' as changes from audit where object = $1 and action = 'clinicalTrial.edit'`,
      [trial_id],
    )
    expect(row?.changes[0]).toMatchObject({
      before: { refer_rebate_cents: 2000, note: 'For Jo' },
      after: { refer_rebate_cents: 2235, note: '' },
    })
  })

  it('are refused when incomplete, duplicate, unknown or outdated', async () => {
    const draft = await trialDraft(support)
    expect(said(await support.ask(create, {}))).toEqual([
      422,
      'Please enter a trial name, enter eligibility criteria, enter a recruiter, enter a provider, enter a referral rebate, enter an enrolment rebate, enter a Pillar AI referral rebate, enter a Pillar AI enrolment rebate, select a rebate type, and select atleast one template.',
    ])
    const trial_id = await makeTrial(support, { name: draft.name })
    expect(said(await support.ask(create, { ...draft, name: draft.name.toUpperCase() }))).toEqual([
      409,
      `There is already a clinical trial called "${draft.name.toUpperCase()}". Please enter another trial name.`,
    ])
    expect(said(await support.ask(edit, { ...draft, trial_id, version: 9 }))[1]).toMatch(/^Somebody else has saved/)
    const swapped = { ...draft, name: fresh('x'), recruiter_id: draft.provider_id }
    expect(said(await support.ask(create, swapped))).toEqual([404, 'That recruiter was not found.'])
    const ofCompany = await asOwner<{ uuid: string }>(
      server,
      `insert into template (uuid, company_id, name, body, sms_template, email_template, active)
       values (gen_random_uuid(), $1, 'Own', 'x', true, false, true) returning uuid`,
      [support.company.id],
    )
    const foreign = { ...draft, name: fresh('x'), template_ids: [ofCompany[0]!.uuid] }
    expect(said(await support.ask(create, foreign))).toEqual([404, 'That global template was not found.'])
    const unknown = await support.ask(create, { template_ids: [support.company.uuid] })
    expect(said(unknown)).toEqual([404, 'That global template was not found.'])
    const gone = draft.template_ids[0]!
    const removed = (at: string) => asOwner(server, `update template set removed_at = ${at} where uuid = $1`, [gone])
    await removed('now()')
    expect(said(await support.ask(create, { ...draft, name: fresh('x') }))[0]).toBe(404)
    await removed('null')
    const molecules = await support.ask(create, { ...draft, name: fresh('x'), filters: { molecules: ['aspirin'] } })
    expect(said(molecules)).toEqual([422, 'There is no molecule "aspirin".'])
    const filters = { age: ['old'] }
    expect(said(await support.ask(create, { ...draft, name: fresh('x'), filters }))).toEqual([
      422,
      'The age "old" is not a range such as 65-74 or 75+.',
    ])
  })

  it('keep their recruiter’s type from changing', async () => {
    const recruiter_provider_id = await makePartner(support, 'recruiter')
    await makeTrial(support, { recruiter_id: recruiter_provider_id })
    const { body } = await support.ask(contract.recruiterProvider.info, { recruiter_provider_id })
    const turned = await support.ask(contract.recruiterProvider.edit, { ...body, recruiter_or_provider: 'provider' })
    expect(said(turned)).toEqual([409, `1 clinical trial uses ${body.name} as its recruiter, so it stays a recruiter.`])
  })
})

describe('the status of a trial', () => {
  it('is active only with a consent form and an ethics approval, and the refusal says what is missing', async () => {
    const { body } = await support.ask(create, await trialDraft(support))
    const trial_id = String(body.id)
    const activate = () => support.ask(editActiveStatus, { trial_id, active: true })
    expect(said(await activate())).toEqual([
      409,
      'Before this trial can be activated, please record its ethics approval and create its consent form.',
    ])
    await support.ask(consent.create, { ...CONSENT_TEXT, trial_id })
    expect(said(await activate())[1]).toBe('Before this trial can be activated, please record its ethics approval.')
    const recorded = await support.ask(ethics.record, { ...ETHICS, trial_id, expires_on: today() })
    expect(recorded.body.expires_on).toBe(today())
    expect((await activate()).body).toEqual({ id: trial_id, active: true, start_date: today(), end_date: null })
    expect(said(await activate())[0]).toBe(409)
  })

  it('ends today when it is deactivated, and starts today without an end when it is activated', async () => {
    const trial_id = await makeTrial(support, { start_date: '2026-08-03', end_date: '2027-03-31' })
    const on = await support.ask(editActiveStatus, { trial_id, active: true })
    expect(on.body).toMatchObject({ start_date: today(), end_date: null })
    // 23:59:59 in Sydney, as the screen sends it.
    const off = await support.ask(editActiveStatus, { trial_id, active: false, end_date: `${today()}T12:59:59.000Z` })
    expect(off.body).toMatchObject({ active: false, start_date: today(), end_date: today() })
    for (const backwards of [{ start_date: '2026-12-02', end_date: '2026-12-01' }, { end_date: '2020-01-01' }]) {
      expect(said(await support.ask(editActiveStatus, { trial_id, active: true, ...backwards }))).toEqual([
        422,
        'Please enter an end date on or after the start date.',
      ])
    }
    await support.ask(editActiveStatus, { trial_id, active: true, start_date: '2099-01-05' })
    const early = await support.ask(editActiveStatus, { trial_id, active: false })
    expect(early.body).toMatchObject({ start_date: '2099-01-05', end_date: '2099-01-05' })
  })

  it('reads a day with a time but no zone as the day written there', async () => {
    const trial_id = await makeTrial(support, { start_date: '2026-12-01T00:00:00', end_date: '2026-12-24T23:59:59' })
    expect((await support.ask(info, { trial_id })).body).toMatchObject({
      start_date: '2026-12-01',
      end_date: '2026-12-24',
    })
    const at = `${today()}T23:59:59`
    const on = await support.ask(editActiveStatus, { trial_id, active: true, start_date: at, end_date: at })
    expect(on.body).toMatchObject({ start_date: today(), end_date: today() })
    const off = await support.ask(editActiveStatus, { trial_id, active: false, end_date: at })
    expect(off.body).toMatchObject({ end_date: today() })
  })

  it('needs the password for just that', async () => {
    const trial_id = await makeTrial(support)
    const path = editActiveStatus.path.replace('{trial_id}', trial_id)
    const { status, body } = await server.call(path, { active: true }, support.tab.bearer)
    expect([status, body.code]).toEqual([403, 'step_up_needed'])
  })
})

describe('a consent form', () => {
  it('keeps every version: one that somebody has read never changes', async () => {
    const { body } = await support.ask(create, await trialDraft(support))
    const trial_id = String(body.id)
    expect(said(await support.ask(consent.current, { trial_id }))).toEqual([
      404,
      'No consent form found for this clinical trial.',
    ])
    expect(said(await support.ask(consent.create, { trial_id }))[1]).toMatch(/^Please enter a form title, enter an in/)
    expect(said(await support.ask(consent.edit, { ...CONSENT_TEXT, trial_id }))[0]).toBe(404)
    const first = await support.ask(consent.create, { ...CONSENT_TEXT, trial_id })
    expect(first.body.data).toMatchObject({ ...CONSENT_TEXT, version: 1, created_by: 'Robin Vale' })
    expect(said(await support.ask(consent.create, { ...CONSENT_TEXT, trial_id }))[0]).toBe(409)
    const same = await support.ask(consent.edit, { ...CONSENT_TEXT, trial_id, version: 1 })
    expect(same.body.data.version).toBe(1)
    const changed = { ...CONSENT_TEXT, trial_id, intro: 'Somebody will call you.' }
    expect((await support.ask(consent.edit, { ...changed, version: 1 })).body.data.version).toBe(2)
    expect(said(await support.ask(consent.edit, { ...changed, intro: 'x', version: 1 }))[0]).toBe(409)
    const { versions } = (await support.ask(consent.versions, { trial_id })).body
    expect(versions.map((one) => [one.version, one.intro])).toEqual([
      [2, 'Somebody will call you.'],
      [1, CONSENT_TEXT.intro],
    ])
    expect((await support.ask(consent.current, { trial_id })).body.data.version).toBe(2)
  })

  it('cannot be rewritten by any role the server works as', async () => {
    const trial_id = await makeTrial(support)
    const { pools } = server.services
    for (const pool of [pools.staff, pools.app, pools.system]) {
      await expect(pool.updateTable('trial_consent_form').set({ intro: 'x' }).execute()).rejects.toThrow('permission')
      await expect(pool.deleteFrom('trial_consent_form').execute()).rejects.toThrow('permission')
    }
    expect((await support.ask(consent.current, { trial_id })).body.data.intro).toBe(CONSENT_TEXT.intro)
  })
})

describe('an ethics approval', () => {
  it('is recorded with its document, which only staff can download', async () => {
    const { body } = await support.ask(create, await trialDraft(support))
    const trial_id = String(body.id)
    const path = ethics.document.path.replace('{trial_id}', trial_id)
    expect((await server.call(path, {}, support.tab.bearer)).status).toBe(404)
    const recorded = await support.ask(ethics.record, { ...ETHICS, trial_id, filename: '../../Ethics "2026".PDF' })
    expect(recorded.body).toMatchObject({ number: '2026/0417', approved_on: '2026-08-03', expires_on: null })
    const got = await server.app.inject({
      method: 'POST',
      url: path,
      headers: { ...support.tab.bearer, 'content-type': 'application/json' },
      payload: '{}',
    })
    expect([got.statusCode, got.headers['content-type'], got.headers['x-content-type-options']]).toEqual([
      ...[200, 'application/pdf', 'nosniff'],
    ])
    expect(got.headers['content-disposition']).toMatch(/^attachment; filename="/)
    expect(got.headers['content-disposition']).not.toContain('/')
    expect(got.rawPayload.toString()).toBe('%PDF-1.4\n%%EOF\n')
    expect((await server.call(path, {})).status).toBe(401)
    const [kept] = await asOwner<{ document: Buffer }>(server, 'select document from trial_ethics_approval limit 1')
    expect(kept?.document.toString('latin1')).not.toContain('%PDF')
  })

  it('is refused without its parts, and if it is not a PDF or too large', async () => {
    const trial_id = await makeTrial(support)
    const refused = async (more: object) => said(await support.ask(ethics.record, { ...ETHICS, trial_id, ...more }))
    expect(await refused({ number: '', document: null })).toEqual([
      422,
      'Please enter an approval number and attach the approval as a PDF.',
    ])
    expect(await refused({ document: Buffer.from('<script>').toString('base64') })).toEqual([
      422,
      'Please attach a PDF, not another kind of file.',
    ])
    expect((await refused({ document: 'not base64!' }))[0]).toBe(422)
    const large = Buffer.alloc(5 * 1024 * 1024 + 1)
    large.write('%PDF-1.7')
    expect((await refused({ document: large.toString('base64') }))[1]).toMatch(/PDF of at most 5 MB/)
    const most = large.subarray(0, 5 * 1024 * 1024).toString('base64')
    expect(await refused({ document: most })).toEqual([200, undefined])
    expect(await refused({ approved_on: '2099-01-01' })).toEqual([
      422,
      'Please enter a date of approval that is not in the future.',
    ])
  })

  it('that has expired keeps a trial from being activated, until a newer one is recorded', async () => {
    const trial_id = await makeTrial(support)
    await asOwner(
      server,
      `update trial_ethics_approval set approved_on = '2025-01-01', expires_on = '2025-12-31'
       where trial_id = (select id from trial where uuid = $1)`,
      [trial_id],
    )
    expect(said(await support.ask(editActiveStatus, { trial_id, active: true }))).toEqual([
      409,
      'Before this trial can be activated, please record a new ethics approval (the last one expired on 31 Dec 2025).',
    ])
    await support.ask(ethics.record, { ...ETHICS, trial_id, filename: 'renewed.pdf' })
    const path = ethics.document.path.replace('{trial_id}', trial_id)
    const { headers } = await server.call(path, {}, support.tab.bearer)
    expect(headers['content-disposition']).toContain('renewed.pdf')
    expect((await support.ask(editActiveStatus, { trial_id, active: true })).status).toBe(200)
  })
})
