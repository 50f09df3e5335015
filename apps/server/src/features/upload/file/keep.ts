import { Refusal } from '@pillar/contract'
import type { Services } from '../../../api/context.ts'
import { reasonOf } from '../../../api/log.ts'
import { StoreAway, type UploadPlace } from '../../../gateways/file/file-store.ts'
import { uploadFolder } from '../../../gateways/file/folder-store.ts'
import type { LandedFile } from '../upload.queries.ts'
import { type MeasuredPart, partPath, removeParts } from './upload-folder.ts'

const RETRY_SECONDS = 30

/**
 * Puts the complete parts of an upload where they lie until they are loaded, and drops any others.
 * @throws Refusal unavailable when that place cannot take them: the parts stay as they are, and the upload can go on from there
 */
export async function keepParts(
  { files, env, log }: Services,
  upload: UploadPlace,
  parts: readonly MeasuredPart[],
): Promise<LandedFile[]> {
  const folder = uploadFolder(env.DATA_DIR, upload.locationId, upload.uuid)
  const names = parts.map(({ name }) => name)
  await removeParts(folder, (name) => !names.includes(name))
  const paths = new Map(names.map((name) => [name, partPath(folder, name)]))
  const kept = await files.keep(upload, paths).catch((error: Error) => {
    if (!(error instanceof StoreAway)) throw error
    log.error({ upload: upload.uuid, reason: reasonOf(error.cause) }, 'the store of uploads does not take files')
    throw new Refusal(
      'unavailable',
      'The place where uploads are kept does not answer. Nothing of this upload is lost: send it again under the same uuid, and it goes on from here.',
      { retryAfter: RETRY_SECONDS },
    )
  })
  return parts.map((part) => ({ ...part, path: kept.get(part.name) ?? '' }))
}

/** Removes what is kept of an upload. What cannot be removed now is removed later, as files of an upload that ended or is not known. */
export async function removeKept({ files, log }: Services, { locationId, uuid }: UploadPlace): Promise<void> {
  await files
    .remove({ locationId, uuid })
    .catch((error: Error) => log.warn({ upload: uuid, reason: reasonOf(error) }, 'files of an upload not removed'))
}
