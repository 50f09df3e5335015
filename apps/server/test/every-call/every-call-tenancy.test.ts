import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Tx } from '../../src/db/database.ts'
import { inScope, type Scope } from '../../src/db/scope.ts'
import { DEEP } from '../deep.ts'
import { asOwner, makeCompany, makeLocation, makeLogin } from '../people.ts'
import { startTestServer, type TestServer } from '../server.ts'

if (DEEP) vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })
const TENANTS = DEEP ? 50 : 8

/** Views that run with their owner's rights, each reviewed and limited to the tenant by its own text and by the test below. */
const REVIEWED_VIEWS = ['campaign_sender', 'location_owner', 'login_gone', 'login_name', 'own_company', 'report_reader']
/** On a cluster the roles sign in from node to node: `distribute` allows that. */
const CLUSTER = process.env.CITUS_URL !== undefined
const ROLES = ['pillar_app', 'pillar_system', 'pillar_report', 'pillar_staff', 'pillar_recruiter']

let server: TestServer
let tenants: { scope: Scope; names: string[] }[]

beforeAll(async () => {
  server = await startTestServer()
  tenants = []
  for (let index = 0; index < TENANTS; index++) {
    const company = await makeCompany(server)
    const owner = await makeLogin(server, company.id)
    const places = [await makeLocation(server, company.id), await makeLocation(server, company.id)]
    await asOwner(server, 'update location set owner_login_id = $1 where company_id = $2', [owner.id, company.id])
    for (const { id } of places) {
      await asOwner(
        server,
        `insert into patient (location_id, source, source_id, first_name) select $1, 'canonical', n::text, $2 from generate_series(1, 5) n`,
        [id, company.name],
      )
    }
    tenants.push({
      scope: { companyId: company.id, locationIds: places.map((place) => place.id) },
      names: places.map((place) => place.name).sort(),
    })
  }
})
afterAll(() => server.close())

const tenantTables = async () =>
  (
    await asOwner<{ name: string }>(
      server,
      `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'public' and c.relkind in ('r', 'p') and (c.relname = 'location' or exists (
         select from pg_attribute a where a.attrelid = c.oid and not a.attisdropped
         and (a.attname = 'location_id' or a.attname = 'company_id' and has_table_privilege('pillar_app', c.oid, 'select'))))
       order by 1`,
    )
  ).map((row) => row.name)

describe('the catalogue (T3)', () => {
  it('has row security enabled and forced on every table of a pharmacy', async () => {
    const tables = await tenantTables()
    expect(tables).toEqual(
      expect.arrayContaining([
        'location',
        'patient',
        'script',
        'upload',
        'metric_cell',
        'message',
        'consent',
        'campaign',
      ]),
    )
    const open = await asOwner(
      server,
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relname = any ($1)
       and not (relrowsecurity and relforcerowsecurity)`,
      [tables],
    )
    expect(open).toEqual([])
  })

  it('lets the app role through policies that name the scope, and no others', async () => {
    const loose = await asOwner(
      server,
      `select tablename, policyname from pg_policies where roles && array['pillar_app', 'public']::name[]
       and (coalesce(qual, '') || coalesce(with_check, '')) !~ 'scope_(location_ids|company_id)\\(\\)'`,
    )
    expect(loose).toEqual([])
    const unchecked = await asOwner(
      server,
      `select tablename, policyname from pg_policies where roles && array['pillar_app', 'public']::name[]
       and with_check is not null and with_check !~ 'scope_(location_ids|company_id)\\(\\)'`,
    )
    expect(unchecked).toEqual([])
  })

  it('has roles that own nothing, and may not bypass, create or become anyone', async () => {
    const strong = await asOwner(
      server,
      `select rolname from pg_roles where rolname = any ($1) and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb ${CLUSTER ? '' : 'or rolcanlogin'})`,
      [ROLES],
    )
    expect(strong).toEqual([])
    const owned = await asOwner<{ relname: string }>(
      server,
      `select relname from pg_class where relowner in (select oid from pg_roles where rolname in ('pillar_app', 'pillar_system', 'pillar_staff', 'pillar_recruiter'))`,
    )
    expect(owned).toEqual([])
    const members = await asOwner(
      server,
      // Meanwhile migrate.test makes a role of older versions in the same PostgreSQL.
      `select m.roleid::regrole from pg_auth_members m where m.member::regrole::text = any ($1) and m.roleid::regrole::text <> 'pillar_gate'`,
      [ROLES],
    )
    expect(members).toEqual([])
    const creators = await asOwner(
      server,
      `select role from unnest($1::text[]) role where has_schema_privilege(role, 'public', 'create')`,
      [ROLES],
    )
    expect(creators).toEqual([])
  })

  it('has no view or function that looks past the policies unreviewed', async () => {
    const views = await asOwner<{ name: string }>(
      server,
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v'
       and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
       and not coalesce(reloptions, '{}') && array['security_invoker=true', 'security_invoker=on'] order by 1`,
    )
    expect(views.map((view) => view.name)).toEqual(REVIEWED_VIEWS)
    const materialised = await asOwner(server, `select relname from pg_class where relkind = 'm'`)
    expect(materialised).toEqual([])
    const definers = await asOwner(
      server,
      `select proname from pg_proc where pronamespace = 'public'::regnamespace and prosecdef
       and proowner <> 'pillar_report'::regrole`,
    )
    expect(definers).toEqual([])
  })

  it('shows through the views of logins and the company those of the scope alone', async () => {
    await asOwner(server, 'update login set data_analytics = true')
    for (const { scope } of tenants.slice(0, 3)) {
      const [own] = await asOwner<{ ids: number[]; name: string }>(
        server,
        `select array_agg(l.id::int) as ids, max(c.name) as name from login l join company c on c.id = l.company_id where c.id = $1`,
        [scope.companyId],
      )
      const seen = await inScope(server.services.pools.app, scope, async (tx) => ({
        names: (await tx.selectFrom('login_name').select('login_id').execute()).map(({ login_id }) => login_id),
        senders: (await tx.selectFrom('campaign_sender').select('login_id').execute()).map(({ login_id }) => login_id),
        readers: (await tx.selectFrom('report_reader').select('login_id').execute()).map(({ login_id }) => login_id),
        gone: await tx.selectFrom('login_gone').select('login_id').execute(),
        company: await tx.selectFrom('own_company').select('name').execute(),
      }))
      expect(seen).toEqual({
        names: own!.ids,
        senders: own!.ids,
        readers: own!.ids,
        gone: [],
        company: [{ name: own!.name }],
      })
    }
  })

  it('shows the app role no login, session, link or mail', async () => {
    const readable = await asOwner<{ name: string }>(
      server,
      `select name from unnest(array['login', 'session', 'access_token', 'step_up', 'link', 'mail', 'throttle']) name
       where has_table_privilege('pillar_app', name, 'select')`,
    )
    expect(readable).toEqual([])
  })
})

describe('with the code’s own scoping left out (T3)', () => {
  it('shows nothing of anyone before a scope is bound', async () => {
    for (const table of await tenantTables()) {
      const rows = await server.services.pools.app
        .transaction()
        .execute((tx) => sql`select 1 from ${sql.table(table)}`.execute(tx))
        .catch((error: Error) => {
          expect(error.message).toContain('permission denied')
          return { rows: [] }
        })
      expect([table, rows.rows.length]).toEqual([table, 0])
    }
  })

  it('shows and changes only the bound tenant’s rows', async () => {
    const [mine, other] = [tenants[0]!, tenants[1]!]
    await inScope(server.services.pools.app, mine.scope, async (tx) => {
      expect(await names(tx)).toEqual(mine.names)
      const patients = await tx.selectFrom('patient').select('location_id').execute()
      expect(new Set(patients.map((row) => row.location_id))).toEqual(new Set(mine.scope.locationIds))
      const owners = await sql<{ location_id: number }>`select location_id from location_owner`.execute(tx)
      expect(owners.rows.map((row) => row.location_id).sort()).toEqual([...mine.scope.locationIds].sort())
      const changed = await tx
        .updateTable('location')
        .set({ name: 'mine now' })
        .where('id', 'in', [...other.scope.locationIds])
        .executeTakeFirst()
      expect(changed.numUpdatedRows).toBe(0n)
    })
    const stolen = inScope(server.services.pools.app, mine.scope, (tx) =>
      tx.updateTable('patient').set({ location_id: other.scope.locationIds[0]! }).execute(),
    )
    await expect(stolen).rejects.toThrow('row-level security')
    // Owning a company does not open a pharmacy of another.
    const forged = { companyId: mine.scope.companyId, locationIds: other.scope.locationIds }
    expect(await inScope(server.services.pools.app, forged, names)).toEqual([])
  })
})

const names = async (tx: Tx) => (await tx.selectFrom('location').select('name').execute()).map((row) => row.name).sort()

describe('many tenants on few connections (T5)', () => {
  it('never see each other, with queries cancelled in the middle', async () => {
    const count = DEEP ? 10_000 : 400
    let foreign = 0
    let cancelled = 0
    const one = async (index: number) => {
      const { scope, names: expected } = tenants[index % tenants.length]!
      const cancel = index % 20 === 7
      if (index % 20 === 13) {
        // A transaction that binds no scope gets any free connection, and must not find the last tenant's scope on it.
        const found = await server.services.pools.app
          .transaction()
          .execute(async (tx) => [...(await names(tx)), ...(await tx.selectFrom('patient').select('id').execute())])
        foreign += found.length
        return
      }
      try {
        await inScope(server.services.pools.app, scope, async (tx) => {
          if (cancel) {
            await sql`set local statement_timeout = 5`.execute(tx)
            await sql`select pg_sleep(1), count(*) from patient`.execute(tx)
          }
          const seen = await names(tx)
          const patients = await tx.selectFrom('patient').select('location_id').execute()
          if (JSON.stringify(seen) !== JSON.stringify(expected)) foreign++
          if (patients.length !== 10 || patients.some((row) => !scope.locationIds.includes(row.location_id))) foreign++
        })
      } catch (error) {
        if (!cancel) throw error
        cancelled++
      }
    }
    for (let start = 0; start < count; start += 100) {
      await Promise.all(Array.from({ length: Math.min(100, count - start) }, (_, index) => one(start + index)))
    }
    expect(foreign).toBe(0)
    expect(cancelled).toBe(count / 20)
  })
})
