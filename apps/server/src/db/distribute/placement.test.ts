import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { cloneDatabase } from '../../../test/database.ts'
import { DISTRIBUTED, LOCAL } from './placement.ts'

let client: pg.Client
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await cloneDatabase(inject('ownerUrl'))
  drop = database.drop
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await drop()
})

const names = async (query: string, values: unknown[] = []) =>
  (await client.query<{ name: string }>(query, values)).rows.map(({ name }) => name)

describe('the places of tables on a cluster', () => {
  it('name every table once, and no others', async () => {
    const there = await names(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    )
    expect([...DISTRIBUTED, ...LOCAL].sort()).toEqual(there.sort())
  })

  it('send to the workers only tables whose unique keys contain the pharmacy', async () => {
    const without = await names(
      `select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indrelid
       where c.relname = any ($1) and i.indisunique and not exists (
         select from pg_attribute a where a.attrelid = c.oid and a.attname = 'location_id' and a.attnum = any (i.indkey))`,
      [DISTRIBUTED],
    )
    expect(without).toEqual([])
  })

  it('send to the workers no table with a trigger or a foreign key, or referenced by one', async () => {
    const bound = await names(
      `select format('trigger %s of %s', tgname, tgrelid::regclass) as name from pg_trigger
       where tgrelid = any ($1::regclass[]) and not tgisinternal
       union all select format('foreign key %s of %s', conname, conrelid::regclass) from pg_constraint
       where contype = 'f' and (conrelid = any ($1::regclass[]) or confrelid = any ($1::regclass[]))`,
      [DISTRIBUTED],
    )
    expect(bound).toEqual([])
  })

  it('send to the workers only tables whose single policy limits them to pharmacies in the scope', async () => {
    const { rows } = await client.query<{ name: string; forced: boolean; policy: string | null }>(
      `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as forced, pg_get_expr(p.polqual, p.polrelid) as policy
       from pg_class c left join pg_policy p on p.polrelid = c.oid and p.polname = 'tenant' where c.relname = any ($1)`,
      [DISTRIBUTED],
    )
    expect(rows.map(({ name }) => name).sort()).toEqual([...DISTRIBUTED].sort())
    expect(rows.filter(({ forced, policy }) => !forced || !policy?.includes('scope_location_ids()'))).toEqual([])
  })
})
