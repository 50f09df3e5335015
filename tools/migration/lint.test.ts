import { expect, it } from 'vitest'
import { DISTRIBUTED } from '../../apps/server/src/db/distribute/placement.ts'
import { breachesOf } from './lint.ts'

/** A refused statement, part of the reason, and how to do the same instead. */
const CASES: [rule: string, breach: string, why: RegExp, good: string][] = [
  ['a table that goes', 'drop table company', /drops the table company/, 'create table x (id int); drop table x'],
  ['a view that goes', 'drop view seen', /drops the view seen/, 'drop index seen_index'],
  [
    'a function that goes',
    'drop function f(int)',
    /the function f/,
    'drop function f(int); create function f(int) returns int language sql return 1',
  ],
  [
    'a column that goes',
    'alter table company drop column name',
    /drops company.name/,
    'alter table company drop constraint x',
  ],
  [
    'a new name of a column',
    'alter table company rename column name to title',
    /renames company.name to title/,
    'alter index a rename to b',
  ],
  [
    'a new name of a table',
    'alter table company rename to firm',
    /renames company to firm/,
    'create table x (id int); alter table x rename to y',
  ],
  [
    'not null without default',
    'alter table company add column z int not null',
    /without a default/,
    'alter table company add column z int not null default 0',
  ],
  [
    'another type',
    'alter table company alter column id type bigint',
    /type of company.id/,
    'alter table company add column id_long bigint',
  ],
  [
    'not null later',
    'alter table company alter name set not null',
    /"not null"/,
    'alter table company add check (name is not null) not valid',
  ],
  [
    'a default that goes',
    'alter table company alter name drop default',
    /takes the default/,
    `alter table company alter name set default ''`,
  ],
  [
    'an index of a large table',
    'create index i on script (day)',
    /while nobody can write/,
    '-- no transaction\ncreate index concurrently if not exists i on script (day)',
  ],
  [
    'an index of a small table',
    'create index concurrently if not exists i on company (name)',
    /first line/,
    'create index i on company (name)',
  ],
  [
    'an index that cannot be tried again',
    '-- no transaction\ncreate index concurrently i on script (day)',
    /if not exists/,
    '-- no transaction\ncreate index concurrently if not exists i on script (day)',
  ],
  [
    'more outside a transaction',
    '-- no transaction\ncreate index concurrently if not exists i on script (day); select 1',
    /nothing else/,
    '-- no transaction\ncreate index concurrently if not exists i on script (day);',
  ],
  [
    'a check in one step',
    'alter table company add constraint c check (id > 0)',
    /"not valid"/,
    'alter table company add constraint c check (id > 0) not valid',
  ],
  [
    'a foreign key in one step',
    'alter table company add foreign key (a) references b',
    /"not valid"/,
    'alter table company validate constraint earlier',
  ],
  [
    'proved where it is added',
    'alter table company add constraint c check (id > 0) not valid; alter table company validate constraint c',
    /next migration/,
    'alter table company validate constraint c',
  ],
  [
    'a unique key in one step',
    'alter table company add unique (name)',
    /using index/,
    'alter table company add constraint u unique using index company_name',
  ],
  [
    'a value for each row of a large table',
    'alter table patient add column u uuid default gen_random_uuid()',
    /rewrites a large table/,
    'alter table patient add column at timestamptz not null default now()',
  ],
  [
    'a stored sum over a large table',
    'alter table script add column s int generated always as (a + b) stored',
    /rewrites/,
    `alter table script add column s text[] not null default '{}'::text[]`,
  ],
  [
    'a column with a check on a large table',
    'alter table script add column s int check (s > 0)',
    /read under lock/,
    'alter table company add column s int check (s > 0)',
  ],
  [
    'all rows of a large table',
    'update patient set name = upper(name)',
    /changes rows of patient/,
    'update company set name = upper(name)',
  ],
  [
    'rows removed from a large table',
    'delete from message',
    /removes rows of message/,
    'delete from company where false',
  ],
  [
    'rows of a large table changed by what it is merged with',
    'merge into patient p using company c on c.id = p.id when matched then delete',
    /changes rows of patient/,
    'merge into company c using module m on c.id = m.id when matched then delete',
  ],
  [
    'rows of a large table removed on the way to another statement',
    'with gone as (delete from message returning 1) insert into x select * from gone',
    /removes rows of message/,
    'with few as (select 1) select * from few',
  ],
  [
    'a table filled from a large one',
    'insert into waiting select distinct m.location_id from company c join message m on m.company_id = c.id',
    /fills waiting from message/,
    'insert into waiting select id from location l where exists (select from message m where m.location_id = l.id)',
  ],
  [
    'a table made of a large one',
    'create table copy as select * from script',
    /fills copy from script/,
    'create table copy as select * from company',
  ],
  ['another wait for locks', `set lock_timeout = '10min'`, /sets lock_timeout/, `set local work_mem = '64MB'`],
  ['an emptied table', 'truncate company', /empties company/, 'create table x (id int); truncate x'],
  [
    'a right taken away',
    'revoke select on company from pillar_app',
    /takes a right away/,
    'grant select on company to pillar_app',
  ],
  [
    'a value of a type renamed',
    `alter type t rename value 'a' to 'b'`,
    /renames the value a/,
    `alter type t add value 'b'`,
  ],
  ['a block of code', 'do $$ begin perform 1; end $$', /cannot be looked into/, 'select 1'],
  ['a lock by name', 'lock table company', /locks a table/, 'select 1'],
  [
    'a table on other ground',
    'alter table company set unlogged',
    /rewrites company/,
    'alter table company set (fillfactor = 50)',
  ],
  ['a table put in order', 'cluster company using i', /rewrites a table/, 'select 1'],
  ['a full vacuum', 'vacuum full company', /no migration/, 'select 1'],
]

for (const [rule, breach, why, good] of CASES)
  it(`${rule} is refused, and its better form is not`, async () => {
    const found = await breachesOf('0999_x.sql', breach)
    expect(found.join()).toMatch(why)
    expect(found.join()).toMatch(/^0999_x\.sql /)
    expect(await breachesOf('0999_x.sql', good)).toEqual([])
  })

it.each([
  ...DISTRIBUTED,
  ...[
    'contact',
    'contact_index',
    'drug',
    'prescriber',
    'resource_version',
    's8_balance',
    'simulator_message',
    'sixty_day_cell',
  ],
  ...['audit_seal', 'trial_event'],
])('%s grows with patients, scripts or messages, and its rows are not changed all at once', async (table) => {
  expect(await breachesOf('a', `update ${table} set note = null`)).toEqual([
    `a changes rows of ${table}, a large table, in one transaction: do it in a job, in pieces.`,
  ])
})

it('an exception gives its reason and version, right above its statement', async () => {
  const because = '-- contract: 0.2.0 no longer reads or writes it, and 0.1.0 is out of use by then\n'
  expect(await breachesOf('a', `${because}alter table company drop column name`)).toEqual([])
  // The numbers of bytes and letters differ.
  expect(await breachesOf('a', `-- „äöü“ first\nselect 1;\n\n${because}drop table company;`)).toEqual([])
  expect(await breachesOf('a', `${because}drop table company; drop table location`)).toHaveLength(1)
  expect(await breachesOf('a', '-- contract: no longer used by anybody at all\ndrop table company')).toHaveLength(1)
  expect(await breachesOf('a', '-- contract: 0.2.0\ndrop table company')).toHaveLength(1)
})

it('a right may be lent for the length of a file, and kept from all if it was never given', async () => {
  const lent = 'grant create on schema public to a; revoke create on schema public from a'
  expect(await breachesOf('a', lent)).toEqual([])
  expect(await breachesOf('a', lent.replace('to a', 'to b'))).toHaveLength(1)
  const made = 'create function f(int) returns int language sql return 1; revoke all on function f(int) from public'
  expect(await breachesOf('a', made)).toEqual([])
})

it('SQL that PostgreSQL could not read is an error', async () => {
  await expect(breachesOf('a', 'alter tabel company')).rejects.toThrow()
})
