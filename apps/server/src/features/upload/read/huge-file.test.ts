import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEEP } from '../../../../test/deep.ts'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../../test/upload.ts'
import { sendUpload } from '../../../cli/send-upload.ts'

const MB = 1024 ** 2
/** Bytes of the file, and of memory that reading it may take: for a small file what is buffered of it on the way, for a large one no more. */
const { SIZE, ROOM } = DEEP ? { SIZE: 1024 * MB, ROOM: 400 * MB } : { SIZE: 24 * MB, ROOM: 200 * MB }
const ROW_BYTES = 400
const ROWS = Math.ceil(SIZE / ROW_BYTES)
/** The share of faulty rows, at the end: more than the accepted one in a hundred. */
const FAULTY = 0.02

let server: UploadServer
let pharmacy: TestPharmacy
let folder: string
beforeAll(async () => {
  server = await startUploadServer()
  pharmacy = await server.pharmacy()
  folder = await mkdtemp(join(tmpdir(), 'pillar-huge-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await server.close()
})

/** Scripts with long directions, a thousand rows at a time; the last ones on a day that does not exist. */
function* rows(): Generator<string> {
  yield 'script_id,dispensed_on,patient_id,drug_id,patient_price,directions\n'
  for (let from = 0; from < ROWS; from += 1000) {
    let text = ''
    for (let at = from; at < Math.min(from + 1000, ROWS); at++) {
      const day = at > ROWS * (1 - FAULTY) ? '2026-02-30' : `2026-0${1 + (at % 9)}-1${at % 9}`
      text += `s${at},${day},1,A,7.70,${`Take one tablet in the morning, ${at}`.padEnd(ROW_BYTES - 40, ' and water')}\n`
    }
    yield text
  }
}

describe(`a file of ${SIZE / MB} MB (T33)`, () => {
  it('that turns out faulty at its end changes nothing, says why, and is not held in memory', {
    timeout: 3_600_000,
  }, async () => {
    const good = {
      patients: 'patient_id,sex,date_of_birth\n1,F,1950-02-03\n',
      drugs: 'drug_id,name,atc,pack_size\nA,Rosuvastatin 10 mg tablet,C10AA07,30\n',
      scripts: 'script_id,dispensed_on,patient_id,drug_id,patient_price\na,2026-01-10,1,A,7.70\n',
    }
    expect(await pharmacy.load(good)).toMatchObject({ etl_state: 'COMPLETED' })
    const before = await pharmacy.fingerprint()
    await pipeline(Readable.from(rows()), createWriteStream(join(folder, 'scripts.csv')))
    await writeFile(join(folder, 'patients.csv'), good.patients)
    global.gc?.()
    const rss = process.memoryUsage().rss
    let most = rss
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss)
    }, 20)
    const sent = await sendUpload({ url: server.url, key: pharmacy.key, source: 'canonical', folder })
    clearInterval(watch)
    expect(sent.etl_state).toBe('ERROR')
    expect(sent.notes).toMatch(
      /^\d+ of \d+ rows of scripts.csv are faulty. More than 1% is too many: nothing was changed.$/,
    )
    expect(sent.fault_count).toBeGreaterThan(ROWS * FAULTY * 0.9)
    expect(await pharmacy.fingerprint()).toBe(before)
    expect(most - rss).toBeLessThan(ROOM)
  })
})
