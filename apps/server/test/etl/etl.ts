import { contract } from '@pillar/contract'
import { asOwner } from '../people.ts'
import type { Support } from '../support.ts'
import type { TestPharmacy, UploadServer } from '../upload.ts'

const HEAD = 'script_id,dispensed_on,patient_id,drug_id\n'

/** A line of a scripts file. */
export const script = (id: string, day: string, patient = '1') => `${id},${day},${patient},A\n`

/** A scripts file of these lines. */
export const scripts = (...lines: string[]) => HEAD + lines.join('')

/** A small upload: two patients with a script each. */
export const FILES = {
  patients: 'patient_id\n1\n2\n',
  drugs: 'drug_id,name,atc\nA,Rosuvastatin,C10AA07\n',
  scripts: scripts(script('s1', '2026-10-01'), script('s2', '2026-10-10', '2')),
}

interface Item {
  uuid: string
  etl_state: string
  files: { id: string; file_type: string; file_path: string }[]
}

/** The uuid of a pharmacy. */
export const uuidOf = async (server: UploadServer, { id }: { id: number }): Promise<string> =>
  (await asOwner<{ uuid: string }>(server, 'select uuid from location where id = $1', [id]))[0]!.uuid

/** The uploads of a pharmacy as support sees them, newest first. */
export const itemsOf = async (server: UploadServer, support: Support, pharmacy: TestPharmacy): Promise<Item[]> =>
  (await support.ask(contract.etl.queue, { id: [await uuidOf(server, pharmacy)] })).body[0]?.queue as unknown as Item[]

/** Loads a waiting upload, as a worker does. */
export async function load(server: UploadServer, uuid: string): Promise<void> {
  const { loadUpload } = await import('../../src/features/upload/upload.jobs.ts')
  await loadUpload.run({ uuid }, server.services)
}
