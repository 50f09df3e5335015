import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cuttingProxy } from '../../../test/outside/cutting-proxy.ts'
import { asOwner } from '../../../test/people.ts'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../test/upload.ts'
import { type SendUpload, sendUpload } from '../../cli/send-upload.ts'

let server: UploadServer
let pharmacy: TestPharmacy
let folder: string
beforeAll(async () => {
  server = await startUploadServer()
  pharmacy = await server.pharmacy()
  folder = mkdtempSync(join(tmpdir(), 'send-folder-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await server.close()
})

const send = (more: Partial<SendUpload> = {}) =>
  sendUpload({ url: server.url, key: pharmacy.key, source: 'canonical', folder, wait: () => pause(300), ...more })

it('names in capitals are sent like others, and what is not sent is named', async () => {
  writeFileSync(join(folder, 'PATIENTS.CSV'), 'patient_id,sex\n1,F\n')
  writeFileSync(join(folder, 'Drugs.csv'), 'drug_id,name,atc\nA,Rosuvastatin,C10AA07\n')
  for (const name of ['scripts.xlsx', 'stock.csv.zip', 'Notes.txt', '.hidden']) writeFileSync(join(folder, name), 'x')
  mkdirSync(join(folder, 'old'))
  const skipped: string[] = []
  const sent = await send({ onSkipped: (entries) => skipped.push(...entries) })
  expect(sent).toMatchObject({ etl_state: 'COMPLETED', fault_count: 0 })
  expect(sent.files.map(({ file_type, loaded }) => [file_type, loaded]).sort()).toEqual([
    ['drugs', 1],
    ['patients', 1],
  ])
  expect(skipped).toEqual(['Notes.txt', 'scripts.xlsx', 'stock.csv.zip'])
  const asked: string[] = []
  const noResources = send({ source: 'fhir', onSkipped: (entries) => asked.push(...entries) })
  await expect(noResources).rejects.toThrow('holds no .ndjson files')
  expect(asked).toContain('Drugs.csv')
})

it('a file that changes while it is sent, or before it is resumed, is not loaded: it may be half of an export, or of two', async () => {
  const scripts = join(folder, 'scripts.csv')
  const rows = (price: string) => Array.from({ length: 40_000 }, (_, at) => `${at},2026-01-05,1,A,${price}`).join('\n')
  const text = (price: string) => `script_id,dispensed_on,patient_id,drug_id,patient_price\n${rows(price)}\n`
  writeFileSync(scripts, text('1.00'))
  const growing = send({ onProgress: () => appendFileSync(scripts, '50000,2026-01-05,1,A,1.00\n') })
  await expect(growing).rejects.toThrow(
    `${scripts} changed while it was sent. Once its export has ended, send the folder again.`,
  )

  writeFileSync(scripts, text('1.00'))
  const proxy = await cuttingProxy(server.url, [300_000])
  const replaced = send({ url: proxy.url, onRetry: () => writeFileSync(scripts, text('2.00')) })
  await expect(replaced).rejects.toThrow('changed while it was sent')
  await proxy.close()
  const uploads = await asOwner<{ n: number }>(server, 'select count(*)::int as n from upload where location_id = $1', [
    pharmacy.id,
  ])
  expect(uploads).toEqual([{ n: 1 }])
  expect(await send()).toMatchObject({ etl_state: 'COMPLETED', fault_count: 0 })
  expect(await pharmacy.scripts()).toHaveLength(40_000)
})

it('something else in Pillar’s place is named: a network’s sign-in page, and a server that only knows another address', async () => {
  const answering = async (answer: (response: ServerResponse) => void): Promise<string> => {
    const page = createServer((request, response) => {
      request.resume().on('end', () => answer(response))
    })
    await new Promise<void>((done) => page.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}`
    const said = await send({ url, retries: 1 }).then(String, ({ message }: Error) => message)
    page.close()
    page.closeAllConnections()
    return said
  }
  const page = '<html><title>Welcome to our Wi-Fi</title></html>'
  expect(await answering((response) => response.end(page))).toMatch(/^What answers at this address is not Pillar/)
  const moved = await answering((response) =>
    response.writeHead(301, { location: 'https://pillar.example.com/api/etl/upload' }).end(),
  )
  expect(moved).toBe(
    'Pillar is at another address: the server sends us to https://pillar.example.com. Give that to --url.',
  )
})
