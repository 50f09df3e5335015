import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { DEEP } from '../../../test/deep.ts'
import { asOwner, makeCompany, type TestCompany } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { recordAudit, recordInLogs } from '../../api/audit.ts'
import { inScope } from '../../db/scope.ts'
import { type Anchor, addAnchor, anchorFile, readAnchors } from './anchor.ts'
import { readHeads } from './verify.queries.ts'
import { type Fault, verifyAudit } from './verify.ts'

const ROWS = DEEP ? 1_000_000 : 2_000
vi.setConfig({ testTimeout: DEEP ? 3_600_000 : 60_000, hookTimeout: DEEP ? 3_600_000 : 60_000 })

let server: TestServer
let companies: TestCompany[]

const rows = (text: string, values: unknown[] = []) => asOwner(server, text, values)
/** Acts as somebody who owns the database and knows how rows are stored. */
const behind = (text: string, values: unknown[] = []) => rows(text, values)
const verify = (anchors: Anchor[] = []) => verifyAudit(server.services.pools.system, anchors)

/** Rows over three companies and the platform, in `count` transactions. */
async function fill(count: number, each: number): Promise<void> {
  const ids = [...companies.map(({ id }) => id), null]
  for (let done = 0; done < count; done += each) {
    await rows(
      `insert into audit (company_id, login_id, session_id, action, object, detail)
       select ($1::bigint[])[1 + n % 4], n % 50, null, 'test.fill', 'thing ' || n, jsonb_build_object('n', n, 'price', 1.50)
       from generate_series($2::int, $3::int) n`,
      [ids, done + 1, Math.min(done + each, count)],
    )
  }
}

beforeAll(async () => {
  server = await startTestServer()
  companies = [await makeCompany(server), await makeCompany(server), await makeCompany(server)]
  await fill(ROWS, DEEP ? 50_000 : 100)
})
afterAll(() => server.close())

/** Damages the audit in a transaction that is checked and then rolled back. */
type Run = (text: string, values?: unknown[]) => Promise<unknown>
async function spoiled(spoil: (run: Run) => Promise<unknown>, anchors: Anchor[] = []) {
  const faults: Fault[] = []
  const { system } = server.services.pools
  await rows('grant select, insert, update, delete on audit, audit_seal, audit_head to pillar_system')
  await system
    .transaction()
    .execute(async (tx) => {
      await spoil((text, values = []) => {
        const parts = text.split(/\$\d+/)
        return sql
          .join(
            [sql.raw(parts[0]!), ...values.flatMap((value, at) => [sql`${value}`, sql.raw(parts[at + 1] ?? '')])],
            sql``,
          )
          .execute(tx)
      })
      faults.push(...(await verifyAudit(tx, anchors)).faults)
      throw new Error('undone')
    })
    .catch((error: Error) => {
      if (error.message !== 'undone') throw error
    })
    .finally(() =>
      rows(
        'revoke update, delete, truncate on audit from pillar_system; revoke insert, update, delete on audit_seal, audit_head from pillar_system',
      ),
    )
  return faults
}
const middle = async (company: TestCompany) => {
  const [found] = await rows('select seq, audit_id from audit_seal where chain = $1 order by seq offset $2 limit 1', [
    company.id,
    Math.floor(ROWS / 8),
  ])
  return { seq: Number(found!.seq), row: Number(found!.audit_id) }
}

describe(`a chain of ${ROWS} rows (T39)`, () => {
  it('is intact as written', async () => {
    const verdict = await verify()
    expect(verdict).toMatchObject({ chains: 4, rows: ROWS, faults: [] })
  })

  it.each([
    ['login', 'login_id = login_id + 1'],
    ['time', `at = at + interval '1 microsecond'`],
    ['detail', `detail = jsonb_set(detail, '{price}', '1.5')`],
    ['object', `object = 'another thing'`],
    ['company', 'company_id = null'],
    ['network', `network = '203.0.113.0/24'`],
  ])('names a row whose %s was altered', async (_what, change) => {
    const [company] = companies
    const { seq, row } = await middle(company!)
    const faults = await spoiled((run) => run(`update audit set ${change} where id = $1`, [row]))
    expect(faults).toEqual([{ chain: company!.id, company: company!.name, seq, row, what: 'altered' }])
  })

  it('names a row that was removed, with and without its seal', async () => {
    const [, company] = companies
    const { seq, row } = await middle(company!)
    const fault = { chain: company!.id, company: company!.name, seq, what: 'removed' }
    expect(await spoiled((run) => run('delete from audit where id = $1', [row]))).toEqual([{ ...fault, row }])
    const both = await spoiled(async (run) => {
      await run('delete from audit where id = $1', [row])
      await run('delete from audit_seal where audit_id = $1', [row])
    })
    expect(both).toEqual([{ ...fault, row: null }])
    const first = await spoiled((run) => run('delete from audit_seal where chain = $1 and seq = 1', [company!.id]))
    expect(first).toMatchObject([{ chain: company!.id, seq: 1, what: 'removed' }])
  })

  it('names the first of two swapped rows', async () => {
    const [, , company] = companies
    const { seq, row } = await middle(company!)
    const faults = await spoiled(async (run) => {
      await run('update audit_seal set seq = -1 where audit_id = $1', [row])
      await run('update audit_seal set seq = $1 where chain = $2 and seq = $3', [seq, company!.id, seq + 1])
      await run('update audit_seal set seq = $1 where audit_id = $2', [seq + 1, row])
    })
    expect(faults).toMatchObject([{ chain: company!.id, seq }])
  })

  it('names where it was truncated', async () => {
    const [company] = companies
    const { seq, row } = await middle(company!)
    const cut = { chain: company!.id, company: company!.name, row: null, what: 'truncated' }
    const faults = await spoiled(async (run) => {
      await run('delete from audit where company_id = $1 and id >= $2', [company!.id, row])
      await run('delete from audit_seal where chain = $1 and audit_id >= $2', [company!.id, row])
    })
    expect(faults).toEqual([{ ...cut, seq }])
    expect(await spoiled((run) => run('delete from audit_head where chain = $1', [company!.id]))).toMatchObject([
      { chain: company!.id, what: 'truncated' },
    ])
  })

  it('names a row inserted without the trigger', async () => {
    const [company] = companies
    await behind('alter table audit disable trigger seal')
    const [made] = await behind(`insert into audit (company_id, action) values ($1, 'test.stray') returning id`, [
      company!.id,
    ])
    const stray = { chain: company!.id, company: company!.name, seq: null, row: Number(made!.id), what: 'unsealed' }
    expect((await verify()).faults).toEqual([stray])
    await behind('delete from audit where id = $1', [made!.id])
    await behind('alter table audit enable trigger seal')
    expect((await verify()).faults).toEqual([])
  })

  it('names a row that was moved to another company’s log and sealed as if it had always been there', async () => {
    const [company, other] = companies
    const [last] = await rows('select seq, audit_id from audit_seal where chain = $1 order by seq desc limit 1', [
      company!.id,
    ])
    const row = Number(last!.audit_id)
    const move = async (to: number) => {
      await behind('update audit set company_id = $2 where id = $1', [row, to])
      await behind(
        `update audit_seal s set hash = audit_hash(b.hash, s.chain, s.seq, a) from audit_seal b, audit a
         where s.audit_id = $1 and a.id = $1 and b.chain = s.chain and b.seq = s.seq - 1`,
        [row],
      )
      await behind(
        'update audit_head h set hash = s.hash from audit_seal s where s.audit_id = $1 and h.chain = s.chain',
        [row],
      )
    }
    await move(other!.id)
    const fault = { chain: company!.id, company: company!.name, seq: Number(last!.seq), row, what: 'altered' }
    expect((await verify()).faults).toEqual([fault])
    await move(company!.id)
    expect((await verify()).faults).toEqual([])
  })
})

describe('an anchor outside the database', () => {
  const folder = () => mkdtempSync(join(tmpdir(), 'pillar-anchor-'))
  const secret = Buffer.alloc(32, 3)
  const heads = () => readHeads(server.services.pools.system)

  it('reveals a chain that was truncated and given a new head', async () => {
    const dir = folder()
    expect(await addAnchor(dir, secret, await heads(), new Date())).toMatch(/^[0-9a-f]{64}$/)
    expect(await addAnchor(dir, secret, await heads(), new Date())).toBe(null)
    const anchors = await readAnchors(dir, secret)
    expect(await verify(anchors)).toMatchObject({ anchors: 1, faults: [] })
    const [, company] = companies
    const fault = { chain: company!.id, company: company!.name, row: null }
    const cut = async (run: Run) => {
      const last = 'select max(seq) from audit_seal where chain = $1'
      await run(`delete from audit where id = (select audit_id from audit_seal where seq = (${last}) and chain = $2)`, [
        company!.id,
        company!.id,
      ])
      await run(`delete from audit_seal where seq = (${last}) and chain = $2`, [company!.id, company!.id])
      await run(
        'update audit_head h set seq = s.seq, hash = s.hash from audit_seal s where h.chain = $1 and s.chain = h.chain and s.seq = h.seq - 1',
        [company!.id],
      )
    }
    expect(await spoiled(cut)).toEqual([])
    expect(await spoiled(cut, anchors)).toMatchObject([{ ...fault, what: 'truncated' }])
    // Adds as many rows as before, correctly sealed.
    const again = async (run: Run) => {
      await cut(run)
      await run(`insert into audit (company_id, action) values ($1, 'test.forged')`, [company!.id])
      await run('set constraints all immediate')
    }
    expect(await spoiled(again)).toEqual([])
    expect(await spoiled(again, anchors)).toMatchObject([{ ...fault, what: 'rewritten' }])
    expect(
      await spoiled((run) => run('delete from audit_head where chain = $1', [company!.id]), anchors),
    ).toMatchObject([fault])
  })

  it('only contains what has changed, and none of its lines can be altered or left out', async () => {
    const dir = folder()
    for (let day = 0; day < 3; day++) {
      await recordAudit(server.services.pools.system, {
        caller: null,
        action: 'test.day',
        object: null,
        detail: { day },
      })
      await addAnchor(dir, secret, await heads(), new Date())
    }
    expect((await readAnchors(dir, secret)).map((anchor) => anchor.heads.length)).toEqual([4, 1, 1])
    const lines = readFileSync(anchorFile(dir), 'utf8').trimEnd().split('\n')
    const write = (kept: string[]) => writeFileSync(anchorFile(dir), `${kept.join('\n')}\n`)
    write([lines[0]!, lines[2]!])
    await expect(readAnchors(dir, secret)).rejects.toThrow('Line 2 of')
    write([lines[0]!.replace(/"at":"\d/, '"at":"1'), ...lines.slice(1)])
    await expect(readAnchors(dir, secret)).rejects.toThrow('Line 1 of')
    write(lines)
    await expect(readAnchors(dir, Buffer.alloc(32, 4))).rejects.toThrow('Line 1 of')
    expect(await readAnchors(dir, secret)).toHaveLength(3)
    expect(await readAnchors(folder(), secret)).toEqual([])
  })
})

describe('sealing', () => {
  it('chains the rows of jobs, tenants and the console, in one transaction or many at once', async () => {
    const [company] = companies
    const { app, system } = server.services.pools
    const before = (await verify()).rows
    const caller = { companyId: company!.id, loginId: 1, sessionId: null }
    const entry = (n: number) => ({ caller, action: 'test.write', object: String(n), detail: { n } })
    const scope = { companyId: company!.id, locationIds: [] }
    await Promise.all([
      ...Array.from({ length: 40 }, (_, n) => inScope(app, scope, (tx) => recordAudit(tx, entry(n)))),
      ...Array.from({ length: 20 }, (_, n) => recordAudit(system, { ...entry(n), caller: null })),
      // Two writers to the same companies in opposite order.
      ...[companies, companies.toReversed()].flatMap((order) =>
        Array.from({ length: 10 }, () =>
          system.transaction().execute(async (tx) => {
            for (const { id } of order)
              await recordInLogs(tx, { loginId: 1, sessionId: null as never }, 'test.many', [
                { companyId: id, ids: [] },
              ])
            await recordAudit(tx, { ...entry(0), caller: null })
          }),
        ),
      ),
    ])
    expect(await verify()).toMatchObject({ rows: before + 40 + 20 + 80, faults: [] })
  })

  it('leaves nothing from a transaction that is rolled back', async () => {
    const before = await verify()
    const { system } = server.services.pools
    await expect(
      system.transaction().execute(async (tx) => {
        await recordAudit(tx, { caller: null, action: 'test.undone', object: null, detail: {} })
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    expect(await verify()).toEqual(before)
  })

  it('cannot be altered by any serving role', async () => {
    const may = await rows(
      `select role, t, p from unnest(array['pillar_app', 'pillar_system', 'pillar_staff', 'pillar_queue', 'pillar_recruiter']) role,
         unnest(array['audit', 'audit_seal', 'audit_head']) t, unnest(array['update', 'delete', 'truncate', 'insert']) p
       where has_table_privilege(role, t, p) and not (t = 'audit' and p = 'insert')`,
    )
    expect(may).toEqual([])
  })
})
