import { FOUND_EACH, type Found, type FoundKind } from '@pillar/contract/access/find-admin'
import type { FindTerm } from '@pillar/domain/text/find-term'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** Where to search for one kind of thing, and how to reach a result. */
interface Source {
  kind: FoundKind
  /** What follows `from`; its main table is `x`. */
  from: RawBuilder<unknown>
  where?: RawBuilder<unknown>
  /** The words of its name, as in an index; without this it cannot be found by name. */
  words?: RawBuilder<unknown>
  name: RawBuilder<unknown>
  detail: RawBuilder<unknown>
  tab: number
  list?: RawBuilder<unknown>
  /** What to search its list for; its own uuid, unless it is shown in another row. */
  find?: RawBuilder<unknown>
  /** The uuid of the pharmacy to open in that row. */
  pharmacy?: RawBuilder<unknown>
}

/** Candidates among which the best are chosen: for a name of common words only these are ranked. */
const CANDIDATES = 200

const PERSON = sql`x.first_name || ' ' || x.last_name || ' ' || x.username || ' ' || x.email`
const REMOVED = sql`x.removed_at is null`
const text = (value: string) => sql`${value}::text`
const named = (column: RawBuilder<unknown>) => sql`name_words(${column})`
const NAME = { name: sql`x.name`, words: named(sql`x.name`), where: REMOVED }
const COMPANY = sql`coalesce((select c.name from company c where c.id = x.company_id), '')`
const PHARMACY = sql`coalesce((select l.name from location l where l.id = x.location_id), '')`

const SOURCES: readonly Source[] = [
  { ...NAME, kind: 'company', from: sql`company x`, detail: sql`x.country`, tab: 0 },
  {
    ...NAME,
    ...{ kind: 'pharmacy', from: sql`location x`, detail: COMPANY, tab: 0 },
    find: sql`(select c.uuid from company c where c.id = x.company_id)`,
    pharmacy: sql`x.uuid`,
  },
  {
    ...{ kind: 'user', from: sql`login x`, where: REMOVED, tab: 1, words: named(PERSON) },
    ...{ name: sql`trim(x.first_name || ' ' || x.last_name)`, detail: sql`x.username || ', ' || ${COMPANY}` },
  },
  {
    ...NAME,
    kind: 'template',
    from: sql`template_recommendation x`,
    detail: text('Recommended'),
    tab: 2,
    list: text('recommended'),
  },
  {
    ...{ ...NAME, kind: 'template', from: sql`template x`, tab: 2 },
    detail: sql`coalesce((select c.name from company c where c.id = x.company_id), 'Global')`,
    list: sql`case when x.company_id is null then 'global' else 'company' end`,
  },
  {
    ...NAME,
    kind: 'campaign',
    from: sql`campaign_recommendation x`,
    detail: text('Recommended'),
    tab: 3,
    list: text('recommended'),
  },
  { ...NAME, kind: 'campaign', from: sql`campaign x`, detail: COMPANY, tab: 3, list: text('company') },
  {
    ...{
      kind: 'trial',
      from: sql`trial x`,
      name: sql`x.name`,
      words: named(sql`x.name`),
      tab: 5,
      list: text('trials'),
    },
    detail: sql`case when x.active then 'Active' else 'Inactive' end`,
  },
  {
    ...{ kind: 'recruiter', from: sql`recruiter_provider x`, name: sql`x.name`, words: named(sql`x.name`), tab: 5 },
    ...{ detail: sql`initcap(x.recruiter_or_provider)`, list: text('recruiters') },
  },
  {
    ...{ kind: 'sequence', from: sql`sequence_recommendation x`, where: REMOVED, name: sql`x.title`, tab: 7 },
    ...{ words: named(sql`x.title`), detail: text('Recommended'), list: text('recommended') },
  },
  {
    ...{ kind: 'sequence', from: sql`sequence x`, where: REMOVED, name: sql`x.title`, words: named(sql`x.title`) },
    ...{ detail: PHARMACY, tab: 7, list: text('pharmacy') },
  },
  { ...NAME, kind: 'dashboard', from: sql`dashboard x`, detail: COMPANY, tab: 6 },
  {
    ...{
      kind: 'upload',
      from: sql`upload x`,
      name: sql`'Upload of ' || ${PHARMACY}`,
      detail: sql`x.etl_state`,
      tab: 0,
    },
    find: sql`(select c.uuid from company c join location l on l.company_id = c.id where l.id = x.location_id)`,
    pharmacy: sql`(select l.uuid from location l where l.id = x.location_id)`,
  },
]

/** What a term finds, up to five of each kind, best first: the exact name, then names that begin with it, then shorter ones. */
export async function findAll(tx: Tx, term: FindTerm): Promise<Found[]> {
  const asked = term.key === null ? SOURCES.flatMap((source) => one(source, term)) : [byKey(term.key)]
  const { rows } = await sql<Found>`${sql.join(asked, sql` union all `)}`.execute(tx)
  return rows
}

const columns = ({ kind, name, detail, tab, list, find, pharmacy }: Source) =>
  sql`${kind}::text as kind, x.uuid, ${name} as name, ${detail} as detail, ${tab}::int as tab, ${list ?? sql`null::text`} as list,
    ${find ?? sql`x.uuid`}::text as find, ${pharmacy ?? sql`null`}::uuid as pharmacy`

function one(source: Source, { words, whole, uuids }: FindTerm): RawBuilder<unknown>[] {
  const held = source.where ? sql`${source.where} and` : sql``
  const query = words.map((word) => `${word}:*`).join(' & ')
  const ways = [
    uuids
      ? sql`(select x.id from ${source.from} where ${held} x.uuid between ${uuids.from} and ${uuids.to} limit ${FOUND_EACH})`
      : null,
    source.words
      ? sql`(select x.id from ${source.from} where ${held} ${source.words} @@ to_tsquery('simple', ${query}) limit ${CANDIDATES})`
      : null,
  ].filter((way) => way !== null)
  if (ways.length === 0) return []
  const name = sql`lower(${source.name})`
  return [
    sql`(select ${columns(source)} from ${source.from} where x.id in (${sql.join(ways, sql` union `)})
      order by ${name} <> ${whole}, not starts_with(${name}, ${whole}), length(${name}), ${name}, x.id limit ${FOUND_EACH})`,
  ]
}

/** The pharmacies whose upload key begins like this. */
function byKey(key: string): RawBuilder<unknown> {
  const source = SOURCES.find(({ kind }) => kind === 'pharmacy')!
  const pattern = `${key.replaceAll(/[\\%_]/g, '\\$&')}%`
  return sql`(select ${columns(source)} from location x where x.removed_at is null
    and x.id in (select k.location_id from location_key k where k.prefix like ${pattern} limit ${FOUND_EACH}) order by x.name, x.id)`
}
