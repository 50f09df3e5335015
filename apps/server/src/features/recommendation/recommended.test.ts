import { Filters } from '@pillar/contract/campaign/cohort'
import { recommendedCampaignProblem, templateProblem } from '@pillar/domain/campaign/campaign-rule'
import { cohortProblems, filtersSet } from '@pillar/domain/cohort/cohort'
import { CATEGORIES, subcategoriesOf } from '@pillar/domain/dispensing/category'
import { canonicalFields } from '@pillar/domain/message/merge-field'
import { estimateSms } from '@pillar/domain/message/sms-text'
import { plainText } from '@pillar/domain/text/plain-text'
import type { Country } from '@pillar/domain/time/locale'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { asOwner, fresh, makeLocation, makeLogin, signIn } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { inScope } from '../../db/scope.ts'
import { addDemoMessaging, findDemoCompany } from '../demo/demo-messaging.queries.ts'
import { DEMO_CAMPAIGNS, DEMO_TEMPLATES } from '../demo/demo-messaging.ts'
import { ensureCompany } from '../location/location.queries.ts'
import { ensureSequenceRecommendations } from '../sequence/recommended.queries.ts'
import { ownTemplateOf } from '../template/adopt.queries.ts'
import { listCampaignRecommendations, listTemplateRecommendations } from './recommendation.queries.ts'
import { ensureRecommendations } from './recommended.queries.ts'
import { RECOMMENDED_CAMPAIGNS, RECOMMENDED_TEMPLATES } from './recommended.ts'

let server: TestServer
let company: { id: number }
const now = () => server.services.now()
const asked = { search: '', onlyUnused: false, country: 'AU' as Country, limit: 50, offset: 0 }

beforeAll(async () => {
  server = await startTestServer()
  company = await ensureCompany(server.services.pools.system, { name: fresh('Demo'), country: 'AU', demo: true })
})
afterAll(() => server.close())
const scoped = <T>(work: Parameters<typeof inScope<T>>[2], id = company.id) =>
  inScope(server.services.pools.app, { companyId: id, locationIds: [] }, work)

describe('a built-in recommendation', () => {
  it('is valid as it stands', () => {
    for (const one of [...RECOMMENDED_TEMPLATES, ...DEMO_TEMPLATES]) {
      expect([one.name, templateProblem(one)]).toEqual([one.name, ''])
      expect(canonicalFields(plainText(one.body))).toBe(one.body)
      if (one.sms_template) expect([one.name, estimateSms(one.body).parts]).toEqual([one.name, 1])
      expect([one.name, one.email_template === (one.subject !== null)]).toEqual([one.name, true])
      expect(z.uuid().safeParse(one.uuid).success).toBe(true)
    }
    const types = CATEGORIES.flatMap((category) => subcategoriesOf(category))
    for (const one of [...RECOMMENDED_CAMPAIGNS, ...DEMO_CAMPAIGNS]) {
      const filters = Filters.parse(one.filters)
      expect([one.name, cohortProblems(filters)]).toEqual([one.name, []])
      expect(types).toEqual(expect.arrayContaining(filters.drug_type))
      const whole = { ...one, pharmacies: 1, templates: one.templates.length, filters: filtersSet(filters) }
      expect([one.name, recommendedCampaignProblem(whole)]).toEqual([one.name, ''])
    }
    const ids = [...RECOMMENDED_TEMPLATES, ...RECOMMENDED_CAMPAIGNS, ...DEMO_TEMPLATES, ...DEMO_CAMPAIGNS]
    expect(new Set(ids.map((one) => one.uuid)).size).toBe(ids.length)
    for (const field of ['name', 'uuid'] as const) {
      expect(new Set(RECOMMENDED_TEMPLATES.map((one) => one[field])).size).toBe(RECOMMENDED_TEMPLATES.length)
    }
  })

  it('exists after the first start, a few of them new, and keeps changes by support', async () => {
    const { system } = server.services.pools
    await Promise.all([ensureRecommendations(system, 'AU', now()), ensureRecommendations(system, 'AU', now())])
    const templates = await scoped((tx) => listTemplateRecommendations(tx, { ...asked, now: now() }))
    const campaigns = await scoped((tx) => listCampaignRecommendations(tx, { ...asked, now: now() }))
    expect([templates.total, campaigns.total]).toEqual([RECOMMENDED_TEMPLATES.length, RECOMMENDED_CAMPAIGNS.length])
    expect(templates.rows.filter((one) => one.new)).toHaveLength(3)
    expect(campaigns.rows.filter((one) => one.new)).toHaveLength(2)
    for (const one of campaigns.rows) expect(one.template_recommendations).toHaveLength(1)
    const uuid = templates.rows[0]!.template_recommendation_id
    await asOwner(server, `update template_recommendation set name = 'Changed', removed_at = now() where uuid = $1`, [
      uuid,
    ])
    await ensureRecommendations(system, 'AU', now())
    const kept = await asOwner(server, 'select name from template_recommendation where uuid = $1', [uuid])
    expect(kept).toEqual([{ name: 'Changed' }])
    expect(await asOwner(server, 'select count(*)::int as n from campaign_recommendation_template')).toEqual([
      { n: RECOMMENDED_CAMPAIGNS.length },
    ])
  })

  it('is not recommended to a company in another country than the one it mentions, or whose summer it is for', async () => {
    const { system } = server.services.pools
    await ensureRecommendations(system, 'AU', now())
    const { id } = await ensureCompany(system, { name: fresh('Albion'), country: 'GB' })
    await asOwner(
      server,
      `insert into campaign_recommendation (uuid, name, goal_type, measure_by, goal, filters)
       values (gen_random_uuid(), 'Two months at once', 'loyalty', 'target', 80, '{"double_dispensing": true}')`,
    )
    const names = (country: Country) =>
      scoped(async (tx) => {
        const templates = await listTemplateRecommendations(tx, { ...asked, country, now: now() })
        const campaigns = await listCampaignRecommendations(tx, { ...asked, country, now: now() })
        return [...templates.rows, ...campaigns.rows].map(({ name }) => name)
      }, id)
    const [abroad, home] = [await names('GB'), await names('AU')]
    const only = [
      ...['60 day scripts', 'Preventer before summer'],
      ...['60 day scripts', 'Asthma preventer before summer', 'Two months at once'],
    ]
    expect(home.filter((name) => !abroad.includes(name)).toSorted()).toEqual(only.toSorted())
    expect(home.length - abroad.length).toBe(only.length)
  })

  it('becomes a template of the company, once, under a free name', async () => {
    const { id: loginId } = await makeLogin(server, company.id)
    const by = { companyId: company.id, loginId, now: now() }
    const { uuid, name } = RECOMMENDED_TEMPLATES[0]!
    const made = await scoped(async (tx) => {
      const first = await ownTemplateOf(tx, uuid, by)
      expect(await ownTemplateOf(tx, uuid, by)).toBe(first)
      await tx.updateTable('template').set({ template_recommendation_id: null }).where('id', '=', first).execute()
      return [first, await ownTemplateOf(tx, uuid, by)]
    })
    const rows = await asOwner(server, 'select name, active from template where id = any ($1) order by id', [made])
    expect(rows).toEqual([
      { name, active: false },
      { name: `${name} (2)`, active: false },
    ])
    await expect(scoped((tx) => ownTemplateOf(tx, RECOMMENDED_CAMPAIGNS[0]!.uuid, by))).rejects.toThrow('not found')
  })

  it('is left out if it does not fit the country', async () => {
    const other = await startTestServer()
    try {
      await ensureRecommendations(other.services.pools.system, 'GB', now())
      const names = await asOwner(other, `select name from campaign_recommendation where name ~ '60 day'`)
      expect(names).toEqual([])
    } finally {
      await other.close()
    }
  })
})

describe('a demo company', () => {
  it('gets its templates and campaigns once, with the fixed ids', async () => {
    const { system, app } = server.services.pools
    const { id, name } = {
      ...(await ensureCompany(system, { name: 'Saltbush', country: 'AU', demo: true })),
      name: 'Saltbush',
    }
    const place = await makeLocation(server, id)
    const login = await makeLogin(server, id, { flags: ['data_analytics'] })
    const found = await findDemoCompany(system, name, login.username)
    expect(found).toEqual({ id, login_id: login.id, location_ids: [place.id] })
    await ensureSequenceRecommendations(system, now())
    await addDemoMessaging(app, found!, now())
    await addDemoMessaging(app, found!, now())
    const tab = await signIn(server, login)
    const listed = await server.call<{ templates: { name: string; demo: boolean; author: string }[] }>(
      '/api/template/list/enterprise',
      {},
      tab.bearer,
    )
    // Plus those that its first pharmacy's sequence added.
    expect(listed.body.templates).toHaveLength(DEMO_TEMPLATES.length + 3)
    const sequences = await asOwner(server, 'select title, active from sequence where location_id = $1', [place.id])
    expect(sequences).toEqual([{ title: 'Starting a new medicine', active: false }])
    expect(listed.body.templates.filter((one) => one.demo)).toHaveLength(3)
    expect(listed.body.templates[0]!.author).toBe('Robin Vale')
    const campaigns = await asOwner(
      server,
      `select c.uuid, c.demo, c.active, count(distinct l.location_id)::int as places, count(distinct t.template_id)::int as templates
       from campaign c join campaign_location l on l.campaign_id = c.id join campaign_template t on t.campaign_id = c.id
       where c.company_id = $1 group by c.id order by c.uuid`,
      [id],
    )
    expect(campaigns).toEqual(
      DEMO_CAMPAIGNS.map(({ uuid }) => ({ uuid, demo: true, active: false, places: 1, templates: 1 })),
    )
    expect(await findDemoCompany(system, 'Nobody', 'headoffice')).toBeUndefined()
  })
})
