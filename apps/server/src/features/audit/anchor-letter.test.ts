import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner, makeCompany } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { recordAudit } from '../../api/audit.ts'
import { unseal } from '../../api/seal.ts'
import { everyLetter } from '../mail/mail.queries.ts'
import { readAnchors } from './anchor.ts'
import { anchorAudit } from './audit.jobs.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { AUDIT_MAIL: 'auditor@mail.example' } })
  const { id: companyId } = await makeCompany(server)
  const caller = { companyId, loginId: 1, sessionId: null }
  await recordAudit(server.services.pools.system, { caller, action: 'test.write', object: null, detail: {} })
})
afterAll(() => server.close())

const letters = async () => {
  const { pools, keys, secret } = server.services
  const { letters } = await pools.system.transaction().execute((tx) => everyLetter(tx, keys))
  return letters.map(({ body, recipient }) => unseal(secret, body!, recipient, 'mail body'))
}

it('the letter to the auditor has the anchor, even if a fault came between the anchor and the letter', async () => {
  await asOwner(
    server,
    `create function give_way() returns trigger language plpgsql as $$ begin raise exception 'no' using errcode = '40P01'; end $$;
     create trigger give_way before insert on audit_check for each row execute function give_way()`,
  )
  await expect(anchorAudit.run({}, server.services)).rejects.toThrow()
  await asOwner(server, 'drop function give_way cascade')
  await anchorAudit.run({}, server.services)
  const [anchor, ...others] = await readAnchors(server.services.env.DATA_DIR, server.services.secret)
  expect(others).toEqual([])
  const [text, ...more] = await letters()
  expect(more).toEqual([])
  expect(text).toContain(anchor!.mac)
})
