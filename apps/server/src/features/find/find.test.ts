import { contract } from '@pillar/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, makeCompany, makeLocation, makeLogin } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'

let server: TestServer
let support: Support
let company: Awaited<ReturnType<typeof makeCompany>>
let place: Awaited<ReturnType<typeof makeLocation>>

const find = async (term: string) => (await support.ask(contract.find.search, { term })).body.results
const named = async (term: string) => (await find(term)).map(({ kind, name }) => `${kind} ${name}`)

beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
  company = await makeCompany(server, 'Saltbush Pharmacy Group')
  place = await makeLocation(server, company.id, 'O’Brien & Sons, Ballarat')
  await makeLocation(server, company.id, 'Saltbush Bendigo')
  await makeLogin(server, company.id, { username: 'saltbush.kim' })
  await asOwner(
    server,
    `insert into template (uuid, company_id, name, body, sms_template, email_template, active, enterprise_template)
     select gen_random_uuid(), case when n % 2 = 0 then $1::bigint end, 'Saltbush flu ' || n, 'x', true, false, true, n % 2 = 0 from generate_series(1, 9) n`,
    [company.id],
  )
})
afterAll(() => server.close())

describe('finding', () => {
  it('matches the beginnings of words in a name, in any order, up to five of a kind', async () => {
    const found = await find('saltbush')
    expect(found.map(({ kind }) => kind)).toEqual([
      ...['company', 'pharmacy', 'user'],
      ...Array.from({ length: 5 }, () => 'template'),
    ])
    expect(await named('group salt')).toEqual(['company Saltbush Pharmacy Group'])
    expect(await named('OBRIEN')).toEqual([])
    expect(await named('brien ball')).toEqual(['pharmacy O’Brien & Sons, Ballarat'])
    expect(await named('saltbush.kim')).toEqual(['user Robin Vale'])
    expect(await named('bush')).toEqual([])
  })

  it('puts the exact name first, then names that begin with it', async () => {
    await makeCompany(server, 'The Flu Company')
    await makeCompany(server, 'Flu Company of Bendigo')
    await makeCompany(server, 'Flu Company')
    expect((await named('flu company')).slice(0, 3)).toEqual([
      ...['company Flu Company', 'company Flu Company of Bendigo', 'company The Flu Company'],
    ])
  })

  it('matches a uuid or its beginning, and links to the row in its list', async () => {
    expect(await find(company.uuid.toUpperCase())).toEqual([
      {
        kind: 'company',
        uuid: company.uuid,
        name: company.name,
        detail: 'AU',
        tab: 0,
        list: null,
        find: company.uuid,
        pharmacy: null,
      },
    ])
    const pharmacy = {
      kind: 'pharmacy',
      uuid: place.uuid,
      detail: company.name,
      tab: 0,
      list: null,
      find: company.uuid,
      pharmacy: place.uuid,
    }
    expect(await find(place.uuid)).toEqual([{ ...pharmacy, name: place.name }])
    expect((await find(place.uuid.slice(0, 28))).map(({ uuid }) => uuid)).toContain(place.uuid)
    const [template] = await asOwner<{ uuid: string }>(
      server,
      `select uuid from template where company_id is null limit 1`,
    )
    expect(await find(template!.uuid)).toMatchObject([
      { kind: 'template', detail: 'Global', tab: 2, list: 'global', find: template!.uuid },
    ])
  })

  it('matches an upload by its uuid, a pharmacy by the beginning of its key', async () => {
    const [upload] = await asOwner<{ uuid: string }>(
      server,
      `insert into upload (uuid, location_id, etl_state, data_source) values (gen_random_uuid(), $1, 'ERROR', 'canonical') returning uuid`,
      [place.id],
    )
    expect(await find(upload!.uuid)).toMatchObject([
      { kind: 'upload', name: `Upload of ${place.name}`, detail: 'ERROR', find: company.uuid, pharmacy: place.uuid },
    ])
    await asOwner(server, `update location_key set prefix = 'pillar_upload_aB3xY9' where location_id = $1`, [place.id])
    expect(await named('pillar_upload_aB3')).toEqual([`pharmacy ${place.name}`])
    expect(await named(`pillar_upload_aB3xY9${'z'.repeat(43)}`)).toEqual([`pharmacy ${place.name}`])
    expect(await named('pillar_upload_ab3')).toEqual([])
    expect(await named('pillar_upload_%')).toEqual([])
  })

  it('leaves out removed items, and returns nothing for an empty term', async () => {
    await asOwner(server, 'update location set removed_at = now() where name = $1', ['Saltbush Bendigo'])
    expect(await named('saltbush bend')).toEqual([])
    expect([await find(''), await find('%%'), await find('no such thing')]).toEqual([[], [], []])
    expect(await find(`it's & | ! :* <-> (a`)).toEqual([])
  })

  it('finds each kind with its tab and list, until it is removed', async () => {
    const own = await makeCompany(server, 'Wattle Group')
    const shop = await makeLocation(server, own.id, 'Wattle Street')
    const rows = (text: string, values: unknown[]) => asOwner(server, text, values)
    await makeLogin(server, own.id, { username: 'wattle.lee' })
    const campaign = `(uuid, name, goal_type, measure_by, goal`
    const inserts: [string, unknown[]][] = [
      [
        `insert into template_recommendation (uuid, name, body, sms_template, email_template) values (gen_random_uuid(), 'Wattle a', 'x', true, false)`,
        [],
      ],
      [
        `insert into template (uuid, company_id, name, body, sms_template, email_template, active, enterprise_template)
         values (gen_random_uuid(), $1, 'Wattle b', 'x', true, false, true, true)`,
        [own.id],
      ],
      [
        `insert into campaign_recommendation ${campaign}) values (gen_random_uuid(), 'Wattle c', 'scripts', 'value', 1)`,
        [],
      ],
      [
        `insert into campaign ${campaign}, company_id) values (gen_random_uuid(), 'Wattle d', 'scripts', 'value', 1, $1)`,
        [own.id],
      ],
      [
        `insert into sequence_recommendation (uuid, title, sequence_event_id) select gen_random_uuid(), 'Wattle e', min(id) from sequence_event`,
        [],
      ],
      [
        `insert into sequence (uuid, title, sequence_event_id, location_id) select gen_random_uuid(), 'Wattle f', min(id), $1 from sequence_event`,
        [shop.id],
      ],
      [
        `insert into dashboard (uuid, company_id, dashboard_id, name, dashboard_type, domain_url, products, created_at)
         values (gen_random_uuid(), $1, gen_random_uuid(), 'Wattle g', 'Supplier', 'https://a.example', '{}', now())`,
        [own.id],
      ],
    ]
    for (const [text, values] of inserts) await rows(text, values)
    const told = async () =>
      (await find('wattle')).map(({ kind, tab, list, detail }) => [kind, tab, list ?? '', detail].join(' '))
    const all = [
      'campaign 3 company Wattle Group',
      'campaign 3 recommended Recommended',
      'company 0  AU',
      'dashboard 6  Wattle Group',
      'pharmacy 0  Wattle Group',
      'sequence 7 pharmacy Wattle Street',
      'sequence 7 recommended Recommended',
      'template 2 company Wattle Group',
      'template 2 recommended Recommended',
      'user 1  wattle.lee, Wattle Group',
    ]
    expect((await told()).toSorted()).toEqual(all)
    const tables = ['template_recommendation', 'template', 'campaign_recommendation', 'campaign', 'dashboard']
    for (const table of tables) await rows(`update ${table} set removed_at = now() where name like 'Wattle%'`, [])
    for (const table of ['sequence', 'sequence_recommendation'])
      await rows(`update ${table} set removed_at = now() where title like 'Wattle%'`, [])
    await rows(`update login set removed_at = now(), disabled_at = now() where username = 'wattle.lee'`, [])
    expect((await told()).toSorted()).toEqual(['company 0  AU', 'pharmacy 0  Wattle Group'])
    await rows('update location set removed_at = now() where id = $1', [shop.id])
    await rows('update company set removed_at = now() where id = $1', [own.id])
    expect(await told()).toEqual([])
  })
})
