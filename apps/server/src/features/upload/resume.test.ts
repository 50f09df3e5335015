import { mkdtempSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { cuttingProxy } from '../../../test/outside/cutting-proxy.ts'
import { asOwner } from '../../../test/people.ts'
import { formOf, post, startUploadServer, type UploadServer } from '../../../test/upload.ts'
import { sendUpload, UploadRefused } from '../../cli/send-upload.ts'
import { uploadFolder } from '../../gateways/file/folder-store.ts'
import { partPath } from './file/upload-folder.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())

const ROWS = 60_000

function folderOf(packed: boolean): { folder: string; bytes: number } {
  const folder = mkdtempSync(join(tmpdir(), 'resume-'))
  const rows = Array.from(
    { length: ROWS },
    (_, at) => `${at},2026-0${1 + (at % 9)}-1${at % 9},1,A,${(at % 9973) / 100}`,
  )
  const files = {
    patients: 'patient_id,sex\n1,F\n',
    drugs: 'drug_id,name,atc\nA,Rosuvastatin,C10AA07\n',
    scripts: `script_id,dispensed_on,patient_id,drug_id,patient_price\n${rows.join('\n')}\n`,
  }
  let bytes = 0
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, packed ? `${name}.csv.gz` : `${name}.csv`)
    writeFileSync(path, packed ? gzipSync(text) : text)
    bytes += statSync(path).size
  }
  return { folder, bytes }
}

/** Long enough for the server to notice that the connection is gone, and shorter than the seconds that a real sender waits. */
const soon = () => pause(300)

describe('a dropped connection', () => {
  it.each([false, true])('resumes where it broke (gzip: %s), and every row arrives once', async (packed) => {
    const pharmacy = await server.pharmacy()
    const { folder, bytes } = folderOf(packed)
    const proxy = await cuttingProxy(server.url, [Math.round(bytes * 0.4), Math.round(bytes * 0.3)])
    const lost: string[] = []
    const warned = vi.spyOn(server.services.log, 'warn')
    const sent = await sendUpload({
      url: proxy.url,
      key: pharmacy.key,
      source: 'canonical',
      folder,
      onRetry: (reason) => lost.push(reason),
      wait: soon,
    })
    await proxy.close()
    // The fault is the sender's, so the log must not suggest a fault of the database.
    expect(warned.mock.calls.map(([, words]) => words)).not.toContain('the database did not answer')
    warned.mockRestore()
    expect(lost.length).toBeGreaterThanOrEqual(2)
    expect(sent).toMatchObject({ etl_state: 'COMPLETED', fault_count: 0, repeated: false })
    expect(sent.files.find((file) => file.file_type === 'scripts')).toMatchObject({ rows: ROWS, loaded: ROWS })
    expect(await pharmacy.scripts()).toHaveLength(ROWS)
    // Resumed from the break, not from the start: that would be 1.7 times the files. A reset may lose bytes in transit.
    expect(proxy.passed()).toBeLessThan(bytes * 1.5)
  })

  it('resumes where it broke if support requested the upload: requested does not mean received', async () => {
    const pharmacy = await server.pharmacy()
    const { folder, bytes } = folderOf(false)
    const [request] = await asOwner<{ uuid: string }>(
      server,
      `insert into upload (uuid, location_id, etl_state, data_source, support_initiated) values (gen_random_uuid(), $1, 'REQUESTED', 'canonical', true)
       returning uuid`,
      [pharmacy.id],
    )
    const proxy = await cuttingProxy(server.url, [Math.round(bytes * 0.6)])
    const { uuid } = request!
    const sent = await sendUpload({ url: proxy.url, key: pharmacy.key, source: 'canonical', folder, uuid, wait: soon })
    await proxy.close()
    expect(sent).toMatchObject({ uuid, etl_state: 'COMPLETED' })
    expect(await pharmacy.scripts()).toHaveLength(ROWS)
    expect(proxy.passed()).toBeLessThan(bytes * 1.5)
  })

  it('after everything was sent does not send or load it again', async () => {
    const pharmacy = await server.pharmacy()
    const { folder, bytes } = folderOf(true)
    const proxy = await cuttingProxy(server.url, ['answer'])
    const sent = await sendUpload({ url: proxy.url, key: pharmacy.key, source: 'canonical', folder, wait: soon })
    await proxy.close()
    expect(sent).toMatchObject({ etl_state: 'COMPLETED' })
    expect(proxy.passed()).toBeLessThan(bytes * 1.25)
  })
})

const partOf = (head: string, text: string) => `--cut\r\ncontent-disposition: form-data; ${head}\r\n\r\n${text}\r\n`

describe('the received bytes of an unfinished upload', () => {
  const uuid = '0198c0de-0000-7000-8000-00000000000a'
  const half = 'patient_id,sex\n1,F\n'

  it('cannot be overstated', async () => {
    const pharmacy = await server.pharmacy()
    const sent = await pharmacy.upload({ patients: half }, { uuid, offsets: JSON.stringify({ patients: 99 }) })
    expect(sent.status).toBe(409)
    expect(sent.body.errors).toEqual({ offsets: ['patients: 0'] })
  })

  it('arrive on one connection: of several at once the others are told so, and that is no fault of the server', async () => {
    const pharmacy = await server.pharmacy()
    const rows = Array.from({ length: 200_000 }, (_, at) => `${at},F`).join('\n')
    const fields = { data_source: 'canonical', uuid: '0198c0de-0000-7000-8000-00000000000c' }
    const { files } = server.services
    const senders = 6
    let there = 0
    const { promise: all, resolve } = Promise.withResolvers<void>()
    const arrive = () => {
      if (++there === senders) resolve()
    }
    // Whichever has arrived whole is recorded once the others have their answers: one that comes later is rightly told that it is done.
    const keep: typeof files.keep = async (...args) => {
      arrive()
      await all
      return files.keep(...args)
    }
    server.services.files = { ...files, keep }
    try {
      const statuses = await Promise.all(
        Array.from({ length: senders }, async () => {
          const form = formOf({ patients: `patient_id,sex\n${rows}\n` }, fields)
          const { status } = await post(`${server.url}/api/etl/upload`, pharmacy.key, form)
          if (status !== 200) arrive()
          return status
        }),
      )
      expect(statuses.sort()).toEqual([200, ...Array(senders - 1).fill(409)])
    } finally {
      server.services.files = files
    }
  })

  it('are not overwritten while they are recorded, by a sender that had no answer and starts again', async () => {
    const pharmacy = await server.pharmacy()
    const rows = Array.from({ length: 5000 }, (_, at) => `${at},F\n`).join('')
    const upload = '0198c0de-0000-7000-8000-00000000000d'
    const fields = { data_source: 'canonical', uuid: upload }
    const part = partPath(uploadFolder(server.services.env.DATA_DIR, pharmacy.id, upload), 'patients')
    const { files } = server.services
    const { promise: answered, resolve } = Promise.withResolvers<number>()
    const again = request(`${server.url}/api/etl/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${pharmacy.key}`, 'content-type': 'multipart/form-data; boundary=cut' },
    })
    again.on('error', () => {})
    again.on('response', (response) => resolve(response.statusCode ?? 0))
    const keep: typeof files.keep = async (...args) => {
      // It sends a few lines of the same file, and stops.
      const named = Object.entries(fields).map(([name, value]) => partOf(`name="${name}"`, value))
      again.write(
        `${named.join('')}${partOf('name="patients"; filename="patients.csv"', `patient_id,sex\n${rows.slice(0, 90)}`)}`,
      )
      await Promise.race([answered, vi.waitUntil(() => statSync(part).size < rows.length, { timeout: 10_000 })])
      return files.keep(...args)
    }
    server.services.files = { ...files, keep }
    try {
      const first = await pharmacy.upload({ patients: `patient_id,sex\n${rows}` }, fields)
      expect(first.status).toBe(200)
      expect((await pharmacy.settled(upload)).files).toMatchObject([{ rows: 5000, loaded: 5000 }])
      expect(await answered).toBe(409)
    } finally {
      server.services.files = files
      again.destroy()
    }
  })

  it.each([false, true])(
    'that have since been cut off on the disk are not loaded as if complete (gzip: %s)',
    async (packed) => {
      const pharmacy = await server.pharmacy()
      const { files } = server.services
      const keep: typeof files.keep = async (...args) => {
        const kept = await files.keep(...args)
        const path = kept.get('patients')!
        truncateSync(path, packed ? statSync(path).size - 1 : half.length)
        return kept
      }
      server.services.files = { ...files, keep }
      const whole = `${half}2,M\n3,F\n`
      const { body } = await pharmacy.upload({ patients: packed ? gzipSync(whole) : whole })
      server.services.files = files
      const { etl_state, notes } = await pharmacy.settled(body.uuid)
      expect(etl_state).toBe('ERROR')
      expect(notes).toMatch(packed ? /46 of 47 bytes are left|damaged or cut gzip/ : /19 of 27 bytes are left/)
    },
  )

  it('are visible only to its own pharmacy', async () => {
    const [one, other] = [await server.pharmacy(), await server.pharmacy()]
    const { body } = await one.upload({ patients: half })
    await one.settled(body.uuid)
    const asked = await post(
      `${server.url}/api/etl/status`,
      other.key,
      JSON.stringify({ uuid: body.uuid }),
      'application/json',
    )
    expect(asked.status).toBe(404)
    const unfinished = '0198c0de-0000-7000-8000-00000000000b'
    await one.upload({ patients: half, tablets: half }, { uuid: unfinished })
    expect(await one.status(unfinished)).toMatchObject({ etl_state: null, files: [{ received_bytes: half.length }] })
    const peeked = await post(
      `${server.url}/api/etl/status`,
      other.key,
      JSON.stringify({ uuid: unfinished }),
      'application/json',
    )
    expect(peeked.status).toBe(404)
    const taken = await other.upload({ patients: half }, { uuid: body.uuid })
    expect(taken.status).toBe(422)
    expect(taken.body.errors).toHaveProperty('uuid')
  })
})

describe('a refusal', () => {
  it('ends the transfer at once instead of retrying', async () => {
    const pharmacy = await server.pharmacy()
    const { folder } = folderOf(false)
    const tries: string[] = []
    const sent = sendUpload({
      url: server.url,
      key: pharmacy.key,
      source: 'abacus',
      folder,
      onRetry: (why) => tries.push(why),
    })
    await expect(sent).rejects.toThrow(UploadRefused)
    await expect(sent).rejects.toThrow('"abacus" is not known')
    const stranger = sendUpload({
      url: server.url,
      key: 'nobody',
      source: 'canonical',
      folder,
      onRetry: (why) => tries.push(why),
    })
    await expect(stranger).rejects.toMatchObject({ status: 401 })
    expect(tries).toEqual([])
  })

  it('of a malformed request says what is wrong', async () => {
    const pharmacy = await server.pharmacy()
    const json = await post(`${server.url}/api/etl/upload`, pharmacy.key, '{}', 'application/json')
    expect(json.status).toBe(415)
    const late = formOf({}, {})
    late.append('data_source', 'canonical')
    late.append('patients', new Blob([half()]), 'p.csv')
    late.append('initial_upload', 'true')
    const answer = await post(`${server.url}/api/etl/upload`, pharmacy.key, late)
    expect(answer.status).toBe(422)
    expect(((await answer.json()) as { message: string }).message).toContain('before the files')
  })
})

const half = () => 'patient_id\n1\n'
