import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, makeCompany, makeLocation } from '../../test/people.ts'
import { startTestServer, type TestServer } from '../../test/server.ts'
import type { Tx } from './database.ts'
import {
  actingAs,
  asRecruiter,
  atOtherPharmacy,
  bindScope,
  inScope,
  type Scope,
  withNestedLoops,
  withoutNestedLoops,
  withScope,
} from './scope.ts'

let server: TestServer
let scope: Scope
beforeAll(async () => {
  server = await startTestServer()
  const company = await makeCompany(server)
  const places = [await makeLocation(server, company.id), await makeLocation(server, company.id)]
  scope = { companyId: company.id, locationIds: places.map((place) => place.id) }
})
afterAll(() => server.close())

const seen = async (tx: Tx) =>
  (await tx.selectFrom('location').select('id').orderBy('id').execute()).map((row) => row.id)
const inTx = <T>(work: (tx: Tx) => Promise<T>) => inScope(server.services.pools.app, scope, work)

it('nested loops are planned after work without them as before it, even in a load', () =>
  inTx(async (tx) => {
    const planned = async () =>
      (await sql<{ now: string }>`select current_setting('enable_nestloop') as now`.execute(tx)).rows[0]!.now
    expect(await withoutNestedLoops(tx, planned)).toBe('off')
    expect(await planned()).toBe('on')
    await sql`set local enable_nestloop = off`.execute(tx)
    await withoutNestedLoops(tx, async () => {})
    expect(await planned()).toBe('off')
    expect(await withNestedLoops(tx, () => withoutNestedLoops(tx, planned))).toBe('off')
    expect(await planned()).toBe('off')
  }))

describe('a narrower scope', () => {
  it('ends with its work, and nests', () =>
    inTx(async (tx) => {
      const [a, b] = scope.locationIds
      await withScope(tx, [a!], async () => {
        expect(await seen(tx)).toEqual([a])
        await withScope(tx, [b!], async () => expect(await seen(tx)).toEqual([b]))
        expect(await seen(tx)).toEqual([a])
      })
      expect(await seen(tx)).toEqual(scope.locationIds)
    }))

  it('ends when its work throws', () =>
    inTx(async (tx) => {
      const broken = withScope(tx, [], async () => {
        throw new Error('refused')
      })
      await expect(broken).rejects.toThrow('refused')
      expect(await seen(tx)).toEqual(scope.locationIds)
    }))

  it('ends when the database refuses its work and a savepoint is rolled back', () =>
    inTx(async (tx) => {
      await sql`savepoint before`.execute(tx)
      await expect(withScope(tx, [], () => sql`select 1 / 0`.execute(tx))).rejects.toThrow('division by zero')
      await sql`rollback to savepoint before`.execute(tx)
      expect(await seen(tx)).toEqual(scope.locationIds)
    }))

  it('accepts only ids, and leaves nothing on the connection', async () => {
    await inTx(async (tx) => {
      const forged = ["1}'; drop table login; --"] as unknown as number[]
      await expect(bindScope(tx, { companyId: 1, locationIds: forged })).rejects.toThrow('a scope is made of ids')
    })
    const digits = scope.locationIds.map(String) as unknown as number[]
    expect(await inScope(server.services.pools.app, { ...scope, locationIds: digits }, seen)).toEqual(scope.locationIds)
    const left = await server.services.pools.app.transaction().execute(seen)
    expect(left).toEqual([])
    const { rows } = await sql<{ left: string }>`
      select concat(current_setting('pillar.company_id', true), current_setting('pillar.location_ids', true)) as left`.execute(
      server.services.pools.app,
    )
    expect(rows).toEqual([{ left: '' }])
  })
})

describe('a single act as somebody else', () => {
  const standing = async (tx: Tx) => {
    const { rows } = await sql<{ role: string; company: string; recruiter: string; places: string }>`
      select current_user as role, current_setting('pillar.company_id', true) as company,
        coalesce(current_setting('pillar.recruiter_id', true), '') as recruiter,
        current_setting('pillar.location_ids', true) as places`.execute(tx)
    return rows[0]!
  }
  const own = () => ({
    ...{ role: 'pillar_app', company: String(scope.companyId), recruiter: '' },
    places: `{${scope.locationIds.join(',')}}`,
  })

  it('in the console has the rights of that role, and everything after it the console’s own again', async () => {
    await server.services.pools.staff.transaction().execute(async (tx) => {
      expect(await standing(tx)).toMatchObject({ role: 'pillar_staff' })
      expect(await actingAs(tx, 'pillar_app', scope, () => standing(tx))).toEqual(own())
      expect(await standing(tx)).toMatchObject({ role: 'pillar_staff', company: '0', places: '{}' })
      expect(await actingAs(tx, 'pillar_system', null, () => standing(tx))).toMatchObject({ role: 'pillar_system' })
      expect(await standing(tx)).toMatchObject({ role: 'pillar_staff', company: '0', places: '{}' })
    })
  })

  it('as a recruiter sees no pharmacy, and ends with the act', () =>
    inTx(async (tx) => {
      const inside = await asRecruiter(tx, 7, () => standing(tx))
      expect(inside).toMatchObject({ role: 'pillar_recruiter', recruiter: '7', places: '{}' })
      expect(await standing(tx)).toEqual(own())
    }))

  it('at another company’s pharmacy sees only that one, and ends with the act', () =>
    inTx(async (tx) => {
      const inside = await atOtherPharmacy(tx, { companyId: 9, locationIds: [8] }, () => standing(tx))
      expect(inside).toMatchObject({ company: '9', places: '{8}' })
      expect(await standing(tx)).toEqual(own())
    }))
})

describe('the function that creates the policies', () => {
  const policies = () =>
    asOwner(
      server,
      `select tablename, policyname, roles, qual, with_check from pg_policies where schemaname = 'public' order by 1, 2`,
    )

  it('can be called again without effect, and refuses an unknown key', async () => {
    const before = await policies()
    await asOwner(server, `select pillar_protect('message_run', 'company', '{pillar_system,pillar_staff}')`)
    await asOwner(server, `select pillar_protect('drug', 'location')`)
    expect(await policies()).toEqual(before)
    await expect(asOwner(server, `select pillar_protect('drug', 'colour')`)).rejects.toThrow('no such key: colour')
  })

  it('creates a form without a subquery for a cluster', async () => {
    await asOwner(server, `select pillar_protect('drug', 'location', '{}', true)`)
    const [row] = await asOwner(server, `select qual from pg_policies where tablename = 'drug'`)
    expect(row?.qual).toBe('(location_id = ANY (scope_location_ids()))')
    await asOwner(server, `select pillar_protect('drug', 'location')`)
  })
})
