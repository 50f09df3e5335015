import type pg from 'pg'
import { openPools } from '../../apps/server/src/db/database.ts'
import { createLogin } from '../../apps/server/src/features/session/login.queries.ts'

export const PASSWORD = 'three herons over Ballarat'
export const USERNAME = 'bench.support'

/** The support person who makes the requests. */
export async function addSupport(databaseUrl: string): Promise<void> {
  const pools = openPools(databaseUrl, () => {}, 1)
  try {
    const { id: companyId } = await pools.system
      .selectFrom('company')
      .select('id')
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow()
    await createLogin(pools.system, {
      ...{ companyId, username: USERNAME, email: 'support@bench.example', first_name: 'Kim', last_name: 'Lee' },
      ...{ password: PASSWORD, flags: ['sr_login' as const] },
    })
  } finally {
    await pools.close()
  }
}

/** Uuids of objects on the platform, for the requests: twenty of each. */
export type Things = Record<'company' | 'pharmacy' | 'user' | 'campaign' | 'trial' | 'template' | 'act', string[]>

export async function someThings(client: pg.Client): Promise<Things> {
  const of = async (text: string) => (await client.query<{ uuid: string }>(text)).rows.map(({ uuid }) => uuid)
  return {
    company: await of('select uuid from company order by id offset 5 limit 20'),
    pharmacy: await of('select uuid from location order by id offset 5 limit 20'),
    user: await of('select uuid from login order by id offset 5 limit 20'),
    campaign: await of('select uuid from campaign order by id offset 5 limit 20'),
    trial: await of(
      'select uuid from trial where exists (select from trial_location x where x.trial_id = trial.id) order by id limit 20',
    ),
    template: await of('select uuid from template where company_id is not null order by id offset 5 limit 20'),
    act: await of('select object as uuid from audit where company_id is not null order by id offset 5 limit 20'),
  }
}

/** Rows and their count as a person would write them by hand: the answer of a list's rival. */
export interface Plain {
  /** What follows `from`. */
  from: string
  where: string
  /** What follows `order by`. */
  order: string
  /** Columns of the answer; the table's own if omitted. */
  columns?: string
}

/** One page of rows and the total, in one statement. `$1` is the first row's offset, `$2` a pattern if `where` has one. */
export const plainList = ({ from, where, order, columns = '*' }: Plain) =>
  `select (select json_agg(r) from (select ${columns} from ${from} where ${where} order by ${order} limit 20 offset $1::int) r),
    (select count(*) from ${from} where ${where})`

/** A statement's duration when run as the owner, in milliseconds. */
export async function plainSql(client: pg.Client, text: string, values: readonly unknown[]): Promise<number> {
  const began = performance.now()
  await client.query(text, [...values])
  return performance.now() - began
}
