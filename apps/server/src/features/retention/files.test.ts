import { existsSync } from 'node:fs'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { makeMessagingWorld } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../test/upload.ts'
import { uploadFolder } from '../../gateways/file/folder-store.ts'
import { keepFile } from '../report/report-file.queries.ts'
import { compress } from '../report/sealed-file.ts'
import { removeEndedFiles } from '../upload/file/ended-files.jobs.ts'
import { removeOld } from './retention.jobs.ts'

const DAY = 86_400_000
let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())
afterEach(() => {
  server.clock.offsetMs = 0
})

const remove = () => removeOld.run({}, server.services)
/** Moves the clock forward by this many days. */
const later = (days: number) => {
  server.clock.offsetMs = days * DAY
}
const rows = (text: string, values: unknown[] = []) => asOwner(server, text, values)

describe('file retention', () => {
  const DRUGS = { drugs: 'drug_id,name,atc,pack_size\nA,Rosuvastatin 10 mg tablet,C10AA07,30\n' }
  const folderOf = (pharmacy: TestPharmacy, uuid: string) =>
    uploadFolder(server.services.env.DATA_DIR, pharmacy.id, uuid)

  async function faulty() {
    const pharmacy = await server.pharmacy()
    const { body } = await pharmacy.upload({ drugs: 'drug_id,name\n,\n,\n,\n' })
    const status = await pharmacy.settled(body.uuid)
    expect(status.etl_state).toBe('ERROR')
    return { pharmacy, uuid: body.uuid, folder: folderOf(pharmacy, body.uuid), status }
  }

  it('files of an upload in ERROR are deleted after 7 days; its record stays', async () => {
    const { pharmacy, uuid, folder, status } = await faulty()
    later(6)
    await remove()
    expect(existsSync(folder)).toBe(true)
    later(8)
    await remove()
    expect(existsSync(folder)).toBe(false)
    expect(status.faults.length).toBeGreaterThan(0)
    expect(await pharmacy.status(uuid)).toEqual(status)
    await remove()
  })

  it('deleted files must be sent again before support can load them', async () => {
    const { pharmacy, uuid } = await faulty()
    later(8)
    await remove()
    server.clock.offsetMs = 0
    await rows(`update upload set etl_state = 'OVERRIDE' where uuid = $1`, [uuid])
    await server.recover()
    expect(await pharmacy.settled(uuid)).toMatchObject({
      etl_state: 'ERROR',
      notes: 'The files of this upload are no longer here; nothing was changed. Please send them again.',
    })
  })

  it('files of waiting uploads stay; those left by a dead process are deleted', async () => {
    const pharmacy = await server.pharmacy()
    const { body } = await pharmacy.upload(DRUGS)
    await pharmacy.settled(body.uuid)
    // The loader deletes the files after it reports COMPLETED.
    await expect.poll(() => existsSync(folderOf(pharmacy, body.uuid))).toBe(false)
    const put = async (uuid: string) => {
      const folder = folderOf(pharmacy, uuid)
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, 'drugs.csv'), DRUGS.drugs)
      await utimes(folder, new Date(), new Date())
      return folder
    }
    const completed = await put(body.uuid)
    const unknown = await put('00000000-0000-4000-8000-0000000000aa')
    const { folder, uuid } = await faulty()
    // Has waited more than a week without a worker.
    await rows(`update upload set etl_state = 'REQUESTED' where uuid = $1`, [uuid])
    later(8)
    await removeEndedFiles(server.services, new Date(server.services.now().getTime() - 7 * DAY))
    expect([completed, unknown, folder].map(existsSync)).toEqual([false, false, true])
  })

  it('report files are deleted after 24 hours', async () => {
    const world = await makeMessagingWorld(server)
    const [place] = world.locations
    const now = new Date()
    const file = {
      locationId: place!.id,
      kind: 'history' as const,
      companyId: world.company.id,
      readerId: 1,
      filename: 'list.csv',
      content: await compress(['Ines Moran']),
      now,
    }
    await server.services.pools.system
      .transaction()
      .execute((tx) => keepFile(tx, server.services.secret, { ...file, expiresAt: new Date(now.getTime() + DAY) }))
    const kept = () => rows('select filename from report_file where location_id = $1', [place!.id])
    await remove()
    expect(await kept()).toHaveLength(1)
    later(1.01)
    await remove()
    expect(await kept()).toHaveLength(0)
  })
})
