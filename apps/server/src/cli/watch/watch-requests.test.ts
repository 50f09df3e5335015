import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner } from '../../../test/people.ts'
import { makeSupport, type Support } from '../../../test/support.ts'
import { startUploadServer, type UploadServer } from '../../../test/upload.ts'
import type { SentUpload } from '../send-upload.ts'
import { waitAfter, watchRequests } from './watch-requests.ts'

let server: UploadServer
let support: Support
let folder: string
beforeAll(async () => {
  server = await startUploadServer()
  support = await makeSupport(server)
  folder = await mkdtemp(join(tmpdir(), 'pillar-watch-'))
  await writeFile(join(folder, 'patients.csv'), 'patient_id\n1\n')
  await writeFile(join(folder, 'drugs.csv'), 'drug_id,name,atc\nA,Rosuvastatin,C10AA07\n')
  await writeFile(join(folder, 'scripts.csv'), 'script_id,dispensed_on,patient_id,drug_id\ns1,2026-10-01,1,A\n')
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

/** Watches until `count` uploads were sent, or this many lines printed. */
async function watch(
  key: string,
  until: (sent: number, said: number) => boolean,
  more: object = {},
  stop = new AbortController(),
) {
  const sent: SentUpload[] = []
  const said: string[] = []
  const look = () => until(sent.length, said.length) && stop.abort()
  await watchRequests({
    ...{ url: server.url, key, source: 'canonical', folder, every: 0.05, stop: stop.signal },
    say: (line) => {
      said.push(line)
      look()
    },
    onSent: (result) => {
      sent.push(result)
      look()
    },
    ...more,
  })
  return { sent, said }
}
const pharmacyOf = async () => {
  const pharmacy = await server.pharmacy()
  const [row] = await asOwner<{ uuid: string }>(server, 'select uuid from location where id = $1', [pharmacy.id])
  return { ...pharmacy, uuid: row!.uuid }
}
const queue = async (id: string) => (await support.ask(contract.etl.queue, { id: [id] })).body[0]!.queue

it('answers a request once, under its uuid and with its range', async () => {
  const pharmacy = await pharmacyOf()
  const range = { from: '2026-09-30T14:00:00.000Z', to: '2026-10-30T13:00:00.000Z' }
  const asked = await support.ask(contract.etl.request, { id: pharmacy.uuid, data_source: 'canonical', ...range })
  const prepared: object[] = []
  const { sent, said } = await watch(pharmacy.key, (done) => done === 1, {
    prepare: async (request: object) => void prepared.push(request),
  })
  const { uuid } = asked.body.requested[0]!
  expect(sent).toMatchObject([{ uuid, etl_state: 'COMPLETED', repeated: false }])
  expect(prepared).toMatchObject([{ uuid, ...range }])
  expect(said[1]).toBe('Requested: an upload of canonical, 2026-09-30T14:00:00.000Z to 2026-10-30T13:00:00.000Z.')
  expect(said.at(-1)).toBe('Stopped.')
  const items = await queue(pharmacy.uuid)
  expect(items).toMatchObject([{ uuid, etl_state: 'COMPLETED', support_initiated: true }])
  const [row] = await asOwner(server, 'select covers_from::text, covers_to::text from upload where uuid = $1', [uuid])
  expect(row).toEqual({ covers_from: '2026-10-01', covers_to: '2026-10-31' })
})

it('without an export command sends a folder once, and again when it has changed', async () => {
  const pharmacy = await pharmacyOf()
  const request = () => support.ask(contract.etl.request, { id: pharmacy.uuid, data_source: 'canonical' })
  const own = await mkdtemp(join(tmpdir(), 'pillar-watch-own-'))
  for (const name of ['patients.csv', 'drugs.csv', 'scripts.csv']) await copyFile(join(folder, name), join(own, name))
  await request()
  const stop = new AbortController()
  const states: string[] = []
  const { sent, said } = await watch(
    pharmacy.key,
    () => false,
    {
      folder: own,
      onSent: async ({ etl_state }: SentUpload) => {
        states.push(String(etl_state))
        if (states.filter((one) => one === 'COMPLETED').length === 1) await request()
        else stop.abort()
      },
      say: async (line: string) => {
        states.push(line.replace(/^Request \S+ .* waits: .*/, 'waits'))
        // The pharmacy exports again only now, while the second request is waiting.
        if (states.at(-1) === 'waits')
          await writeFile(join(own, 'scripts.csv'), 'script_id,dispensed_on,patient_id,drug_id\ns2,2026-10-02,1,A\n')
      },
    },
    stop,
  )
  await rm(own, { recursive: true })
  expect([sent, said]).toEqual([[], []])
  const requested = 'Requested: an upload of canonical, the beginning to now.'
  expect(states.slice(1)).toEqual([requested, 'COMPLETED', 'waits', requested, 'COMPLETED', 'Stopped.'])
  const loaded = await queue(pharmacy.uuid)
  expect(loaded.map(({ etl_state }) => etl_state)).toEqual(['COMPLETED', 'COMPLETED'])
})

it('two watching commands with one key load a request once', async () => {
  const pharmacy = await pharmacyOf()
  await support.ask(contract.etl.request, { id: pharmacy.uuid, data_source: 'canonical' })
  // Whichever watcher sends it first ends both: the other may be too late to see the request.
  const stop = new AbortController()
  const both = await Promise.all([1, 2].map(() => watch(pharmacy.key, (done) => done === 1, {}, stop)))
  expect(both.flatMap(({ sent }) => sent).length).toBeGreaterThan(0)
  expect(await queue(pharmacy.uuid)).toHaveLength(1)
  const [row] = await asOwner(server, 'select attempts from upload where location_id = $1', [pharmacy.id])
  expect(row).toEqual({ attempts: 1 })
})

it('explains once why it does not send another system’s files', async () => {
  const pharmacy = await pharmacyOf()
  await support.ask(contract.etl.request, { id: pharmacy.uuid, data_source: 'fred' })
  await support.ask(contract.etl.request, { id: pharmacy.uuid, data_source: 'canonical' })
  const { sent, said } = await watch(pharmacy.key, (done) => done === 1)
  expect(sent).toHaveLength(1)
  expect(said.filter((line) => line.startsWith('Not sent: this folder holds canonical.'))).toHaveLength(1)
  expect((await queue(pharmacy.uuid)).map(({ etl_state }) => etl_state).sort()).toEqual(['COMPLETED', 'REQUESTED'])
})

it('backs off while the server is away, and stops when the key is not valid', async () => {
  expect([0, 1, 2, 9].map((failures) => waitAfter(failures, 30))).toEqual([30, 60, 120, 900])
  const away = await watch('x', (_, said) => said >= 3, { url: 'http://127.0.0.1:1' })
  expect(away.said[1]).toMatch(/ECONNREFUSED.*Asking again in 0\.1 s\./)
  await expect(watch('pillar_upload_x', () => false)).rejects.toMatchObject({ status: 401 })
})
