import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner, makeCompany, type TestCompany } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { recordAudit } from '../../api/audit.ts'
import { readAnchors } from './anchor.ts'
import { anchorAudit } from './audit.jobs.ts'
import { type Fault, verifyAudit } from './verify.ts'

let server: TestServer
let company: TestCompany
const ROWS = 25
beforeAll(async () => {
  server = await startTestServer()
  company = await makeCompany(server)
  for (let n = 1; n <= ROWS; n++) await write(n)
})
afterAll(() => server.close())

const write = (n: number) =>
  recordAudit(server.services.pools.system, {
    caller: { companyId: company.id, loginId: 1, sessionId: null },
    ...{ action: 'test.write', object: String(n), detail: { n } },
  })
/** The last place of the company's chain, with its row. */
const lastSeal = async () => {
  const [found] = await asOwner<{ seq: number; row: number }>(
    server,
    'select seq, audit_id as row from audit_seal where chain = $1 order by seq desc limit 1',
    [company.id],
  )
  return found!
}
const rowAt = async (seq: number) =>
  (
    await asOwner<{ row: number }>(server, 'select audit_id as row from audit_seal where chain = $1 and seq = $2', [
      ...[company.id, seq],
    ])
  )[0]!.row

describe('a row of the audit (T39)', () => {
  it('is sealed with all its columns, those of later versions too', async () => {
    const columns = await asOwner<{ name: string; type: string }>(
      server,
      `select column_name as name, data_type as type from information_schema.columns
       where table_schema = 'public' and table_name = 'audit' and column_name <> 'id' order by 1`,
    )
    expect(columns.length).toBeGreaterThan(10)
    const row = await rowAt(3)
    await asOwner(server, `create table kept as select * from audit where id = ${row}`)
    const other = (name: string, type: string) =>
      ({
        bigint: `coalesce(${name}, 0) + 1`,
        boolean: `not ${name}`,
        jsonb: `'{"n": 0}'`,
        text: `coalesce(${name}, '') || 'x'`,
        'timestamp with time zone': `${name} + interval '1 microsecond'`,
        uuid: 'gen_random_uuid()',
      })[type]
    for (const { name, type } of columns) {
      await asOwner(server, `update audit set ${name} = ${other(name, type)} where id = ${row}`)
      const { faults } = await verifyAudit(server.services.pools.system, [])
      expect([name, faults]).toEqual([
        name,
        [{ chain: company.id, company: company.name, seq: 3, row, what: 'altered' }],
      ])
      await asOwner(server, `update audit a set ${name} = k.${name} from kept k where a.id = k.id`)
    }
    expect((await verifyAudit(server.services.pools.system, [])).faults).toEqual([])
  })

  it('is checked in whatever part of its chain it is', async () => {
    const inParts = () => verifyAudit(server.services.pools.system, [], 10)
    expect(await inParts()).toMatchObject({ rows: ROWS, faults: [] })
    for (const seq of [10, 11, 21, ROWS]) {
      const row = await rowAt(seq)
      await asOwner(server, `update audit set object = 'another' where id = ${row}`)
      expect((await inParts()).faults).toMatchObject([{ seq, row, what: 'altered' }])
      await asOwner(server, `update audit set object = detail->>'n' where id = ${row}`)
    }
    // The first of a part, with its seal.
    const row = await rowAt(11)
    await asOwner(server, `create table kept_seal as select * from audit_seal where audit_id = ${row}`)
    await asOwner(server, `delete from audit_seal where audit_id = ${row}`)
    expect((await inParts()).faults).toMatchObject([{ seq: 11, row: null, what: 'removed' }])
    await asOwner(server, 'insert into audit_seal select * from kept_seal')
    expect((await inParts()).faults).toEqual([])
  })
})

describe('an anchor (T39)', () => {
  const anchors = () => readAnchors(server.services.env.DATA_DIR, server.services.secret)
  /** A night, and what it found. */
  const night = async () => {
    await anchorAudit.run({}, server.services)
    const [check] = await asOwner<{ faults: Fault[] }>(
      server,
      'select faults from audit_check order by id desc limit 1',
    )
    return check!.faults
  }

  it('shows a chain whose head was set back although its rows are still there', async () => {
    expect(await night()).toEqual([])
    const { seq } = await lastSeal()
    const head = (to: number) =>
      asOwner(
        server,
        'update audit_head h set seq = s.seq, hash = s.hash from audit_seal s where h.chain = $1 and s.chain = h.chain and s.seq = $2',
        [company.id, to],
      )
    await head(seq - 1)
    const { faults } = await verifyAudit(server.services.pools.system, await anchors())
    expect(faults).toMatchObject([{ chain: company.id, seq, what: 'truncated' }])
    await head(seq)
  })

  it('is not needed where the head names another hash than the last seal', async () => {
    const { seq } = await lastSeal()
    await asOwner(server, `update audit_head set hash = sha256(hash) where chain = $1`, [company.id])
    const { faults } = await verifyAudit(server.services.pools.system, [])
    expect(faults).toMatchObject([{ chain: company.id, seq: seq + 1, what: 'truncated' }])
    await asOwner(
      server,
      'update audit_head h set hash = s.hash from audit_seal s where h.chain = $1 and s.chain = $1 and s.seq = $2',
      [company.id, seq],
    )
  })

  it('shows a chain that was rewritten and sealed again, even after the rewritten one was anchored and has grown', async () => {
    expect(await night()).toEqual([])
    const { seq, row } = await lastSeal()
    await asOwner(server, `update audit set object = 'nobody' where id = $1`, [row])
    await asOwner(
      server,
      `update audit_seal s set hash = audit_hash(b.hash, s.chain, s.seq, a) from audit_seal b, audit a
       where s.audit_id = $1 and a.id = $1 and b.chain = s.chain and b.seq = s.seq - 1`,
      [row],
    )
    await asOwner(
      server,
      'update audit_head h set hash = s.hash from audit_seal s where s.audit_id = $1 and h.chain = s.chain',
      [row],
    )
    // Sealed like everything that follows: nothing but the anchor tells.
    expect((await verifyAudit(server.services.pools.system, [])).faults).toEqual([])
    const rewritten = [{ chain: company.id, company: company.name, seq, row: null, what: 'rewritten' }]
    for (let nights = 1; nights <= 3; nights++) {
      await write(ROWS + nights)
      expect([nights, await night()]).toEqual([nights, rewritten])
    }
    expect((await anchors()).length).toBeGreaterThan(2)
  })

  it('shows a chain that is gone with its head', async () => {
    const other = await makeCompany(server)
    await recordAudit(server.services.pools.system, {
      caller: { companyId: other.id, loginId: 1, sessionId: null },
      ...{ action: 'test.write', object: '1', detail: {} },
    })
    await night()
    await asOwner(
      server,
      `delete from audit where company_id = ${other.id}; delete from audit_seal where chain = ${other.id}; delete from audit_head where chain = ${other.id}`,
    )
    const { faults } = await verifyAudit(server.services.pools.system, await anchors())
    expect(faults).toContainEqual({ chain: other.id, company: other.name, seq: 1, row: null, what: 'truncated' })
  })
})
