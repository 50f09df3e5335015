import { everyCall } from '@pillar/contract/every-call'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCampaign, makeMessagingWorld, makePatients, makeRun, makeTemplate } from './messaging.ts'
import { asOwner, makeLogin, type SignedIn, signIn } from './people.ts'
import { startTestServer, type TestServer } from './server.ts'

const files = everyCall.filter(({ call }) => call.answer === 'csv')
/** Names of pharmacies, templates and patients that a spreadsheet would run; the last three only if part of their content ended a line. */
const PHARMACIES = [
  '=HYPERLINK("https://attacker.example")',
  '+1+cmd|calc',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  '＝1+1',
].concat(['a\n=1+1', 'b\r=1+1', 'c\r\n=1+1'])
const TEMPLATE = '=cmd|calc!A1'
const APART = ['consent.download', 'audit.csv', 'referral.export']
const PATIENTS = ['@patient', '-7+7', '+61400']

let server: TestServer
let tab: SignedIn
let inputs: Record<string, { body: object; path?: string; holds: string[] }>

beforeAll(async () => {
  server = await startTestServer()
  const world = await makeMessagingWorld(server, { locations: PHARMACIES.length })
  for (const [at, location] of world.locations.entries()) {
    await asOwner(server, 'update location set name = $2 where id = $1', [location.id, PHARMACIES[at]])
  }
  tab = await signIn(
    server,
    await makeLogin(server, world.company.id, {
      flags: ['data_analytics', 'ecdr', 'sr_login', 'sixty_day_signup', 'guild_login'],
    }),
  )
  const flags = ['data_analytics', 'ecdr', 'sr_login', 'sixty_day_signup', 'guild_login'] as const
  tab = await signIn(server, await makeLogin(server, world.company.id, { flags }))
  const template = await makeTemplate(server, world.company.id, { name: TEMPLATE })
  const locationIds = world.locations.map(({ id }) => id)
  const campaign = await makeCampaign(server, world.company.id, { locationIds, templateIds: [template.id] })
  const patients = []
  for (const id of locationIds) patients.push(...(await makePatients(server, id, PATIENTS.length)))
  const names = patients.map((_, at) => `${PATIENTS[at % PATIENTS.length]}${at}`)
  await asOwner(
    server,
    'update patient p set source_id = t.name from unnest($1::bigint[], $2::text[]) t(id, name) where p.id = t.id',
    [patients.map(({ id }) => id), names],
  )
  await makeRun(server, world, { campaignId: campaign.id, patients })
  await asOwner(server, 'update message_batch set template_name = $1', [TEMPLATE])
  const pharmacies = world.locations.map(({ uuid }) => uuid)
  const [upload] = await asOwner<{ id: number; uuid: string }>(
    server,
    `insert into upload (uuid, location_id, etl_state, data_source) values (gen_random_uuid(), $1, 'ERROR', 'z') returning id, uuid`,
    [locationIds[0]],
  )
  await asOwner(
    server,
    `insert into upload_fault (upload_id, location_id, file_type, line, column_name, value, reason)
     select $1, $2, 'patients', 2, 'first_name', value, 'too long' from unnest($3::text[]) value`,
    [upload!.id, locationIds[0], PHARMACIES],
  )
  await asOwner(
    server,
    `insert into location_module (location_id, company_id, module_id)
     select l.id, l.company_id, m.id from location l, module m where m.name = 'strong_pro' and l.id = any ($1) on conflict do nothing`,
    [locationIds],
  )
  await asOwner(
    server,
    `insert into s8_product (location_id, source, product_id, name, brand, unit, last_stocktake_taken_by, last_stocktake_note, last_stocktake_on)
     select $1, 'canonical', n, name, name, name, name, name, current_date from unnest($2::text[]) with ordinality p(name, n)`,
    [locationIds[0], PHARMACIES],
  )
  await asOwner(
    server,
    `with entry as (
       insert into s8_entry (location_id, seq, source, number, product_id, product_name, entry_type, occurred_at, quantity_in, quantity_out, pharmacist,
         intern, received_at, upload_id, hash, party_name, party_address, reference, doctor, note, second_signer)
       select $1, n, 'canonical', n, n, name, 'supply', now(), 0, 0, name, false, now(), 1, '', name, name, name, name, name, name
       from unnest($2::text[]) with ordinality p(name, n) returning location_id, source, number
     ) insert into s8_balance select location_id, source, number, 0, 'skipped' from entry`,
    [locationIds[0], PHARMACIES],
  )
  const register = { location_uuid: pharmacies[0], timezone: 'Australia/Sydney' }
  const file = (kind: string) => `/api/s8/${pharmacies[0]}/${kind}/export`
  inputs = {
    's8.productsCsv': { body: register, path: file('product-list'), holds: PHARMACIES },
    's8.drugRegisterCsv': { body: register, path: file('drug-register'), holds: PHARMACIES },
    'etl.faultyCsv': { body: {}, holds: PHARMACIES },
    'etl.faultsCsv': { body: { id: pharmacies[0], uuid: upload!.uuid }, holds: PHARMACIES },
    'financials.tableCsv': { body: { category: 'Drug Type', pharmacies, year: 2026 }, holds: PHARMACIES },
    'companySixtyDay.categoriesExport': { body: { pharmacies }, holds: PHARMACIES },
    // Rows of the Guild are states and postcodes: they contain no text written by anybody.
    'guildSixtyDay.categoriesExport': { body: {}, holds: [] },
    'attribution.statsCsv': { body: { year: 2026 }, holds: PHARMACIES },
    'campaign.cohortCsv': { body: { filters: {}, pharmacies }, holds: PHARMACIES },
    'campaign.runCsv': {
      body: {},
      path: `/api/campaign/${campaign.uuid}/run-csv/enterprise`,
      holds: [...PHARMACIES, TEMPLATE, ...names],
    },
  }
})
afterAll(() => server.close())

describe('a spreadsheet that opens a file', () => {
  // The message history, downloaded by its link, is checked in report.test.ts; the audit, read by support, in audit.test.ts; the referrals,
  // read by recruiters, in referral.test.ts.
  it.each(files.filter(({ name }) => !APART.includes(name)))(
    'finds no formula in $name, which is recorded in the log',
    async ({ name, call }) => {
      const input = inputs[name]
      expect([name, input === undefined]).toEqual([name, false])
      const logged = async () =>
        (await asOwner<{ n: number }>(server, 'select count(*)::int as n from audit where action = $1', [name]))[0]!.n
      const before = await logged()
      const reply = await server.call<string>(input!.path ?? call.path, input!.body, tab.bearer)
      expect([name, reply.status]).toEqual([name, 200])
      // Spreadsheets end a line at either of the two characters.
      const ends = { record_delimiter: ['\r\n', '\n', '\r'] }
      const cells = (parse(reply.body, { bom: true, relax_column_count: true, ...ends }) as string[][]).flat()
      const formulas = cells.filter((cell) => /^[=+\-@\t\r\n\0＝＋－＠]/.test(cell) && !/^-?\d+(?:\.\d+)?$/.test(cell))
      expect(formulas).toEqual([])
      for (const text of input!.holds) expect(cells).toContain(/^\w/.test(text) ? text : `'${text}`)
      // The log names whoever takes figures out of Pillar as a file.
      expect([name, await logged()]).toEqual([name, before + 1])
    },
  )
})
