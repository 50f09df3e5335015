import { readFileSync } from 'node:fs'
import { cp, mkdtemp, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DELETED_FILE, FHIR_FILES } from '@pillar/domain/upload/upload-file'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Files, startUploadServer, type UploadServer } from '../../../../../test/upload.ts'
import { contentFrom, filesToSend } from '../../../../cli/send/files-to-send.ts'
import { sendUpload } from '../../../../cli/send-upload.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())

const FOLDER = new URL('../../../../../test/data/fhir/', import.meta.url)
const FILES = FHIR_FILES.filter((name) => name !== DELETED_FILE)
const text = (name: string) => readFileSync(new URL(`${name}.ndjson`, FOLDER))
const sample = (): Files => Object.fromEntries(FILES.map((name) => [name, text(name)]))

/** The content of the published dispenses, worked out by hand: day, patient, medicine, days' supply and its source. */
const SCRIPTS = [
  ['atorvastatin', '2021-09-26', 'howe-deangelo', 'Atorvastatin', 30, 'directions'],
  ['bisoprolol', '2019-02-05', 'banks-mia-leanne', 'Bisoprolol', 60, 'directions'],
  ['diflucan', '2018-06-25', 'banks-mia-leanne', 'Diflucan', 30, 'thirty'],
  ['flucloxacillin', '2022-02-10', 'baratz-toni', 'Flucloxacillin', 6, 'directions'],
  ['klacid', '2023-02-20', 'irvine-ronny-lawrence', 'Clarithromycin', 50, 'directions'],
  ['lipex', '2020-07-15', 'wang-li', 'Lipex', 30, 'directions'],
  ['metformin', '2024-06-20', 'hayes-arianne', 'Metformin', 30, 'thirty'],
  ['panadeine-forte', '2018-07-15', 'bennelong-anne', 'Panadeine forte tablet', 30, 'thirty'],
  ['panadeine-forte-tablet', '2018-07-15', 'baratz-toni', 'Panadeine forte tablet', 30, 'thirty'],
  ['reaptan', '2018-07-15', 'wang-li', 'Perindopril + amlodipine', 10, 'directions'],
  ['simvastatin-pbs', '2020-01-15', 'hayes-arianne', 'Simvastatin', 30, 'directions'],
  ['ventolin', '2024-05-16', 'italia-sofia', 'Ventolin inhaler cfc-free', 30, 'thirty'],
  ['vitamin-d-drops', '2023-08-14', 'baby-banks-john', 'Vitamin d oral drops', 30, 'thirty'],
]
const BASIS: Record<number, string> = { 2: 'directions', 5: 'thirty' }

describe('the published examples of AU Core', () => {
  it('load over HTTP, with a report of values that have no place', async () => {
    const pharmacy = await server.pharmacy('Australia/Brisbane')
    const status = await pharmacy.load(sample(), { data_source: 'fhir' })
    expect(status).toMatchObject({ etl_state: 'COMPLETED', fault_count: 0 })
    expect(status.files.map(({ file_type, rows, loaded }) => [file_type, rows, loaded])).toEqual([
      ['Patient', 9, 9],
      ['Practitioner', 3, 3],
      ['Medication', 11, 11],
      ['MedicationRequest', 8, 8],
      ['MedicationDispense', 14, 14],
    ])
    for (const note of [
      'Medication.ndjson: 2 of 11 products have no ATC code and no name that the list of ingredients knows, so they count as Unclassified: Chlorsig; Lipex 40 mg tablet.',
      'MedicationDispense.ndjson: 1 dispense is no supply by status (1 in-progress).',
      '13 of 13 supplies do not say which repeat they are (extension dispense-number, or a type of first fill): where such a repeat was supplied elsewhere, nothing shows it, so loyalty may be too high; it is 100% where none says it.',
      '1 of these had no usable date, patient or medicine and was left out; any supply stored under the same id was deleted.',
      '3 dispenses count in packs, by weight or in a unit that is not understood, so the units supplied are unknown.',
    ])
      expect(status.notes).toContain(note)
    const stored = await pharmacy.scripts()
    expect(
      stored.map((one) => [one.source_id, one.day, one.patient, one.molecule, one.days, BASIS[one.basis]]),
    ).toEqual(SCRIPTS)
  })

  it('load by the command from the folder of a bulk export, compressed or not, and files Pillar does not read are named', async () => {
    const pharmacy = await server.pharmacy('Australia/Brisbane')
    const folder = await mkdtemp(join(tmpdir(), 'fhir-'))
    await cp(FOLDER, folder, { recursive: true })
    await rename(join(folder, 'Patient.ndjson'), join(folder, 'Patient.000.ndjson'))
    await rename(join(folder, 'MedicationDispense.ndjson'), join(folder, 'aside.txt'))
    const lines = text('MedicationDispense').toString().trim().split('\n')
    // In parts, the second without its last line break and followed by the tenth; one begins with a byte order mark.
    const parts = [
      lines.slice(0, 5).join('\n').concat('\n'),
      lines.slice(5, 9).join('\n'),
      `\ufeff${lines.slice(9).join('\n')}`,
    ]
    const names = ['MedicationDispense.1.ndjson', 'MedicationDispense.2.ndjson', 'MedicationDispense.10.ndjson']
    for (const [at, part] of parts.entries()) await writeFile(join(folder, names[at] ?? ''), part)
    await writeFile(join(folder, 'Observation.ndjson'), '{}\n')
    const skipped: string[] = []
    const options = { url: server.url, key: pharmacy.key, source: 'fhir', folder, initial: true }
    const send = () => sendUpload({ ...options, onSkipped: (entries) => skipped.push(...entries) })
    expect(await send()).toMatchObject({ etl_state: 'COMPLETED', fault_count: 0, repeated: false })
    expect(skipped).toEqual(['aside.txt', 'Observation.ndjson'])
    expect(await pharmacy.scripts()).toHaveLength(SCRIPTS.length)
    // Compressed, the same content is not loaded again.
    const pack = (name: string) => rename(join(folder, name), join(folder, `${name}.gz`))
    await pack(names[1] ?? '')
    await expect(send()).rejects.toThrow('some are packed and some are not')
    await pack(names[0] ?? '')
    await pack(names[2] ?? '')
    const packed = [parts[0], `${parts[1]}\n`, parts[2]]
    for (const [at, part] of packed.entries()) await writeFile(join(folder, `${names[at]}.gz`), gzipSync(part ?? ''))
    expect(await send()).toMatchObject({ etl_state: 'COMPLETED', repeated: true })
  })

  it('of a type in several parts continue within a part after a dropped connection', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fhir-parts-'))
    for (const [at, part] of ['one\n', 'two', 'three\n'].entries())
      await writeFile(join(folder, `Patient.${at}.ndjson`), part)
    const [file] = await filesToSend({ source: 'fhir', folder })
    const whole = 'one\ntwo\nthree\n'
    expect(file?.bytes).toBe(whole.length)
    for (let from = 0; from <= whole.length; from++) {
      let rest = ''
      for await (const chunk of contentFrom(file!, from)) rest += chunk.toString()
      expect(rest).toBe(whole.slice(from))
    }
  })

  it('sent again change nothing', async () => {
    const pharmacy = await server.pharmacy('Australia/Brisbane')
    await pharmacy.load(sample(), { data_source: 'fhir' })
    const before = await pharmacy.fingerprint()
    const again = await pharmacy.load(sample(), { data_source: 'fhir', from: '2018-01-01' })
    expect(again.notes).toContain('Scripts: 0 new, 0 changed.')
    expect((await pharmacy.fingerprint()).split('|').slice(0, 6)).toEqual(before.split('|').slice(0, 6))
  })
})
