import { type Plain, plainList } from './platform.queries.ts'

/** One request of the console, repeated with different words. */
export interface Asked {
  name: string
  path: string
  /** A different input each round, so that no answer is cached. */
  input: (round: number) => object
  /** p95 in ms; 100 if omitted. */
  most?: number
  /** The same rows and count by SQL alone. */
  rival?: (round: number) => { text: string; values: unknown[] }
}

export const TERMS = [
  'saltbush',
  'bank',
  'heron',
  'mallee 12',
  'orange',
  'kooka',
  'person19',
  'nothing of it',
  'ballarat',
  'dub',
]
export const term = (round: number) => TERMS[round % TERMS.length]!
export const page = (round: number) => 1 + ((round * 13) % 40)
/** A page near the end of a list of this many rows. */
export const late = (rows: number) => (round: number) => Math.max(1, Math.floor(rows / 20) - 100 - round)
export const some = (uuids: readonly string[]) => (round: number) => uuids[round % uuids.length]!

export const paged =
  (plain: Plain, at: (round: number) => number = page) =>
  (round: number) => ({
    text: plainList(plain),
    values: [20 * (at(round) - 1)],
  })
export const searched =
  (plain: Plain, ...columns: string[]) =>
  (round: number) => ({
    text: plainList({
      ...plain,
      where: `${plain.where} and (${columns.map((one) => `${one} ilike $2`).join(' or ')})`,
    }),
    values: [0, `%${term(round)}%`],
  })

export const COMPANIES: Plain = { from: 'company', where: 'removed_at is null', order: 'lower(name), id' }
export const USERS: Plain = {
  from: 'login u join company c on c.id = u.company_id',
  where: 'u.removed_at is null and c.removed_at is null',
  order: `lower(u.first_name || ' ' || u.last_name), u.id`,
  columns: 'u.*, c.name as company',
}
export const PERSON = `(u.first_name || ' ' || u.last_name || ' ' || coalesce(u.preferred_name, '') || ' ' || u.username || ' ' || u.email)`
export const TEMPLATES: Plain = {
  from: 'template t left join company c on c.id = t.company_id',
  where: 't.removed_at is null and t.company_id is not null',
  order: 'lower(t.name), t.id',
  columns: 't.*, c.name as company',
}
export const CAMPAIGNS: Plain = {
  from: 'campaign k join company c on c.id = k.company_id',
  where: 'k.removed_at is null and c.removed_at is null',
  order: 'lower(k.name), k.id',
  columns: 'k.*, c.name as company',
}
export const BATCHES: Plain = {
  from: 'message_batch b join location l on l.id = b.location_id join company c on c.id = b.company_id join message_run r on r.id = b.run_id left join campaign k on k.id = r.campaign_id',
  where: 'true',
  order: 'b.created_at desc nulls last, b.id desc',
  columns: 'b.*, l.name as pharmacy, c.name as company, k.name as campaign',
}
/** The server counts acts only up to 10,000; so does the rival. */
export const ACTS = (where: string, value: (round: number) => unknown) => (round: number) => ({
  text: `select (select json_agg(r) from (select a.*, c.name as company, o.username from audit a left join company c on c.id = a.company_id
      left join login o on o.id = a.login_id where ${where} order by a.at desc, a.id desc limit 20 offset $1::int) r),
    (select count(*) from (select from audit a where ${where} limit 10000) s)`,
  values: value(round) === null ? [20 * (page(round) - 1)] : [0, value(round)],
})
export const BY_PERSON = `not a.copy and (a.object_name ilike $2
  or a.login_id in (select id from login o where (o.first_name || ' ' || o.last_name || ' ' || o.username) ilike $2))`
export const list = (path: string) => (name: string, input: Asked['input'], rival?: Asked['rival']) => ({
  ...{ name, path, input },
  ...(rival ? { rival } : {}),
})
