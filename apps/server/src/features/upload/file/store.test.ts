import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startS3, type TestS3 } from '../../../../test/outside/s3.ts'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../../test/upload.ts'
import { uploadFolder } from '../../../gateways/file/folder-store.ts'
import { removeUploadFiles } from '../support/remove-files.jobs.ts'
import { loadUpload } from '../upload.jobs.ts'
import { removeEndedFiles } from './ended-files.jobs.ts'

let s3: TestS3
/** Stores uploads in a bucket. */
let server: UploadServer
/** Stores them in its folder. */
let plain: UploadServer
beforeAll(async () => {
  s3 = await startS3()
  server = await startUploadServer({ work: false, env: s3.env })
  plain = await startUploadServer({ work: false })
})
afterAll(async () => {
  await server.close()
  await plain.close()
  await s3.end()
})

const FILES = {
  patients: 'patient_id,sex,date_of_birth\n1,F,1950-02-03\n2,M,1944-12-31\n',
  drugs: 'drug_id,name,atc,pack_size\nA,Rosuvastatin 10 mg tablet,C10AA07,30\n',
  scripts:
    'script_id,dispensed_on,patient_id,drug_id,patient_price\na,2026-01-10,1,A,7.70\nb,2026-02-10,2,A,7.70\nc,2026-02-11,1,A,7.70\n',
}

const load = (on: UploadServer, uuid: string) => loadUpload.run({ uuid }, on.services)
const keysOf = (uuid: string) => s3.keys().filter((key) => key.includes(uuid))
const localOf = (pharmacy: TestPharmacy, uuid: string) => uploadFolder(server.services.env.DATA_DIR, pharmacy.id, uuid)

describe('uploads kept in a bucket', () => {
  it('load to the same rows as those kept in the folder, and leave nothing behind', async () => {
    const [there, here] = [await server.pharmacy(), await plain.pharmacy()]
    const { uuid } = (await there.upload(FILES)).body
    expect(keysOf(uuid)).toEqual(['drugs', 'patients', 'scripts'].map((name) => `${there.id}/${uuid}/${name}.csv`))
    expect(existsSync(localOf(there, uuid))).toBe(false)
    await load(server, uuid)
    await load(plain, (await here.upload(FILES)).body.uuid)
    expect(await there.status(uuid)).toMatchObject({ etl_state: 'COMPLETED', notes: 'Scripts: 3 new, 0 changed.' })
    expect(await there.scripts()).toHaveLength(3)
    expect(await there.scripts()).toEqual(await here.scripts())
    expect(keysOf(uuid)).toEqual([])
    const again = (await there.upload(FILES)).body
    expect(again).toMatchObject({ uuid, repeated: true })
    expect(s3.keys()).toEqual([])
  })

  it('wait for an unavailable store while they arrive: sent data stays, and sending continues from there', async () => {
    const pharmacy = await server.pharmacy()
    const uuid = crypto.randomUUID()
    await s3.stop()
    const refused = await pharmacy.upload(FILES, { uuid })
    expect(refused).toMatchObject({
      status: 503,
      body: {
        code: 'unavailable',
        message:
          'The place where uploads are kept does not answer. Nothing of this upload is lost: send it again under the same uuid, and it goes on from here.',
      },
    })
    const { etl_state, files } = await pharmacy.status(uuid)
    const held = Object.fromEntries(files.map(({ file_type, received_bytes }) => [file_type, received_bytes]))
    expect([etl_state, held]).toEqual([
      null,
      Object.fromEntries(Object.entries(FILES).map(([name, text]) => [name, Buffer.byteLength(text)])),
    ])
    await s3.start()
    const rest = { patients: '', drugs: '', scripts: '' }
    const sent = await pharmacy.upload(rest, { uuid, offsets: JSON.stringify(held) })
    expect(sent).toMatchObject({ status: 200, body: { uuid, etl_state: 'RECEIVED' } })
    expect(existsSync(localOf(pharmacy, uuid))).toBe(false)
    await load(server, uuid)
    expect((await pharmacy.status(uuid)).etl_state).toBe('COMPLETED')
    expect(await pharmacy.scripts()).toHaveLength(3)
  })

  it('wait for an unavailable store while they are loaded, and are loaded afterwards', async () => {
    const pharmacy = await server.pharmacy()
    const { uuid } = (await pharmacy.upload(FILES)).body
    const before = await pharmacy.fingerprint()
    await s3.stop()
    await load(server, uuid)
    expect(await pharmacy.status(uuid)).toMatchObject({
      etl_state: 'RECEIVED',
      notes: expect.stringContaining('could not reach the place where it keeps uploads'),
    })
    expect(await pharmacy.fingerprint()).toBe(before)
    await s3.start()
    await server.passTwoHours()
    await load(server, uuid)
    expect((await pharmacy.status(uuid)).etl_state).toBe('COMPLETED')
  })

  it('must be sent again if a file has disappeared from it', async () => {
    const pharmacy = await server.pharmacy()
    const { uuid } = (await pharmacy.upload(FILES)).body
    await server.services.files.removeOthers({ locationId: pharmacy.id, uuid }, new Set(['drugs', 'patients']))
    await load(server, uuid)
    expect(await pharmacy.status(uuid)).toMatchObject({
      etl_state: 'ERROR',
      notes: 'The files of this upload are no longer here; nothing was changed. Please send them again.',
    })
  })

  it('are removed there a week after they ended, and by support', async () => {
    const pharmacy = await server.pharmacy()
    const { uuid } = (await pharmacy.upload({ drugs: 'drug_id,name\n,\n,\n,\n' })).body
    await load(server, uuid)
    expect((await pharmacy.status(uuid)).etl_state).toBe('ERROR')
    await removeEndedFiles(server.services, new Date(Date.now() - 86_400_000))
    expect(keysOf(uuid)).toHaveLength(1)
    const waiting = (await pharmacy.upload(FILES)).body.uuid
    await removeEndedFiles(server.services, new Date(Date.now() + 60_000))
    expect([keysOf(uuid).length, keysOf(waiting).length]).toEqual([0, 3])
    const { rows } = await sql<{ id: number }>`delete from upload_file where file_type = 'scripts'
      and upload_id = (select id from upload where uuid = ${waiting}) returning id`.execute(server.owner)
    expect(rows).toHaveLength(1)
    const what = { uuid: waiting, location_id: pharmacy.id, company_id: pharmacy.companyId }
    await removeUploadFiles.run(what, server.services)
    expect(keysOf(waiting).map((key) => key.split('/')[2])).toEqual(['drugs.csv', 'patients.csv'])
  })

  it('that came before the bucket was set are still read from the folder', async () => {
    const pharmacy = await server.pharmacy()
    const bucket = server.services.files
    server.services.files = { ...plain.services.files }
    const { uuid } = (await pharmacy.upload(FILES)).body
    server.services.files = bucket
    expect(keysOf(uuid)).toEqual([])
    await load(server, uuid)
    expect((await pharmacy.status(uuid)).etl_state).toBe('COMPLETED')
    expect(existsSync(localOf(pharmacy, uuid))).toBe(false)
  })
})
