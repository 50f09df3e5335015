import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner } from '../../../../test/people.ts'
import { entriesFile, entryRow, MORPHINE, productsFile } from '../../../../test/register.ts'
import { startUploadServer, type UploadServer } from '../../../../test/upload.ts'
import { registerAnchors } from './register-anchor.ts'
import { checkRegisters, verifyRegisters } from './register-check.jobs.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())

it('a register that cannot be checked keeps no other from being checked and anchored, is not anchored itself, and is named in the log', async () => {
  const [first, second] = [await server.pharmacy(), await server.pharmacy()]
  for (const { load } of [first, second])
    await load({
      s8_products: productsFile([MORPHINE]),
      s8_transactions: entriesFile([entryRow(1, 'opening', { quantity_in: '7' })]),
    })
  // The second is not as it was written.
  await asOwner(server, 'update s8_entry set quantity_in = 8 where location_id = $1', [second.id])
  const fault = 'select fault is not null as found from s8_pharmacy where location_id = $1'
  await asOwner(
    server,
    `alter table s8_pharmacy add constraint broken check (location_id <> ${first.id} or checked_at is null) not valid`,
  )
  const lines: object[] = []
  const log = { ...server.services.log, info: () => {}, error: (line: object) => void lines.push(line) } as never
  const night = () => checkRegisters.run({}, { ...server.services, log })
  await expect(night()).rejects.toThrow('broken')
  expect(lines).toEqual([
    { location: first.id, reason: '23514 s8_pharmacy broken' },
    { fault: expect.stringContaining('entry 1 (transaction 1) was altered') },
  ])
  expect(await asOwner(server, fault, [second.id])).toEqual([{ found: true }])
  expect(await registerAnchors(server.services)).toEqual(new Map())
  await asOwner(server, 'update s8_entry set quantity_in = 7 where location_id = $1', [second.id])
  await expect(night()).rejects.toThrow('broken')
  expect([...(await registerAnchors(server.services)).keys()]).toEqual([second.id])
  await expect(verifyRegisters(server.services)).rejects.toThrow('broken')
  await asOwner(server, 'alter table s8_pharmacy drop constraint broken')
  await night()
  expect([...(await registerAnchors(server.services)).keys()].sort()).toEqual([first.id, second.id].sort())
})
