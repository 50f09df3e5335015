import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { FHIR_FILES } from '@pillar/domain/upload/upload-file'

/** One file of an upload: its name there, and where it lies. */
export interface FileToSend {
  name: string
  path: string
  bytes: number
}

interface Folder {
  source: string
  folder: string
  onSkipped?: ((entries: readonly string[]) => void) | undefined
}

/** The files of a folder that belong to an upload. Throws when it holds none. */
export function filesToSend(of: Folder): Promise<FileToSend[]> {
  return of.source === 'fhir' ? resourceFilesOf(of) : filesOf(of.folder)
}

async function filesOf(folder: string): Promise<FileToSend[]> {
  const entries = (await readdir(folder)).filter((entry) => /\.csv(\.gz)?$/.test(entry)).sort()
  const files = entries.map(async (entry) => {
    const path = join(folder, entry)
    return { name: entry.replace(/\.csv(\.gz)?$/, ''), path, bytes: (await stat(path)).size }
  })
  if (files.length === 0) throw new Error(`The folder ${folder} holds no .csv files.`)
  return Promise.all(files)
}

const RESOURCES = /\.ndjson(?:\.gz)?$/

/**
 * The files of a bulk export that Pillar reads: the resource type is found in names such as Patient.ndjson,
 * Patient.000.ndjson or 3.Patient.ndjson.gz. Throws when one type is in several files, because they are sent as one.
 */
async function resourceFilesOf({ folder, onSkipped }: Folder): Promise<FileToSend[]> {
  const entries = (await readdir(folder)).filter((entry) => RESOURCES.test(entry)).sort()
  const typeOf = (entry: string) => FHIR_FILES.find((type) => entry.split(/[^A-Za-z]+/).includes(type))
  const skipped = entries.filter((entry) => !typeOf(entry))
  if (skipped.length > 0) onSkipped?.(skipped)
  const files = FHIR_FILES.flatMap((name) => {
    const of = entries.filter((entry) => typeOf(entry) === name)
    if (of.length > 1)
      throw new Error(
        `${folder} holds ${of.length} files of ${name} (${of.slice(0, 3).join(', ')}). Put them into one, ${name}.ndjson, and take the others away.`,
      )
    return of.map((entry) => ({ name, path: join(folder, entry) }))
  })
  if (files.length === 0) throw new Error(`The folder ${folder} holds no .ndjson files of ${FHIR_FILES.join(', ')}.`)
  return Promise.all(files.map(async (file) => ({ ...file, bytes: (await stat(file.path)).size })))
}
