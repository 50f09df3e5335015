import { Refusal } from '@pillar/contract'
import type { Services } from '../../../api/context.ts'
import { setbackOf } from '../../../api/health/setback.ts'
import { reasonOf } from '../../../api/log.ts'
import { StoreAway, type UploadPlace } from '../../../gateways/file/file-store.ts'
import { uploadFolder } from '../../../gateways/file/folder-store.ts'
import type { LandedFile } from '../upload.queries.ts'
import { type MeasuredPart, partPath, removeParts } from './upload-folder.ts'

const RETRY_SECONDS = 30

/**
 * Moves the complete parts of an upload to the store that keeps them until they are loaded, and drops any others.
 * @throws what `refusalOfPlace` accepts if the store cannot take them: the parts stay unchanged, and the upload can be resumed
 */
export async function keepParts(
  { files, env }: Services,
  upload: UploadPlace,
  parts: readonly MeasuredPart[],
): Promise<LandedFile[]> {
  const folder = uploadFolder(env.DATA_DIR, upload.locationId, upload.uuid)
  const names = parts.map(({ name }) => name)
  await removeParts(folder, (name) => !names.includes(name))
  const paths = new Map(names.map((name) => [name, partPath(folder, name)]))
  const kept = await files.keep(upload, paths)
  return parts.map((part) => ({ ...part, path: kept.get(part.name) ?? '' }))
}

/** The answer when the bucket, or the disk of uploads, cannot be reached or written to; any other error is returned unchanged. */
export function refusalOfPlace({ log }: Services, upload: string, error: Error): Error {
  const lost = (error as NodeJS.ErrnoException).code === 'ENOENT'
  if (!lost && setbackOf(error) !== 'files_away') return error
  const reason = error instanceof StoreAway ? reasonOf(error.cause) : error.message
  log.error({ upload, reason }, 'the store of uploads does not take files')
  return new Refusal(
    'unavailable',
    'The place where uploads are kept does not answer. Nothing of this upload is lost: send it again under the same uuid, and it goes on from here.',
    { retryAfter: RETRY_SECONDS },
  )
}

/** Removes the stored files of an upload. If that fails now, they are removed later, as files of an ended or unknown upload. */
export async function removeKept({ files, log }: Services, { locationId, uuid }: UploadPlace): Promise<void> {
  await files
    .remove({ locationId, uuid })
    .catch((error: Error) => log.warn({ upload: uuid, reason: reasonOf(error) }, 'files of an upload not removed'))
}
