import type { Env } from '../../env.ts'
import { type FileStore, isInS3 } from './file-store.ts'
import { folderStore, makeUploadsRoot } from './folder-store.ts'
import type { S3Env } from './s3-store.ts'

/**
 * The store for files of received uploads: DATA_DIR/uploads, or a bucket. With a bucket, the folder still holds arriving parts, and files
 * received before the bucket was configured.
 * @throws Error with a message fit to print when the bucket's settings do not fit together
 */
export async function openFiles(env: Pick<Env, 'FILES' | 'DATA_DIR'> & S3Env): Promise<FileStore> {
  const folder = folderStore(env.DATA_DIR)
  if (env.FILES === 'folder') {
    await makeUploadsRoot(env.DATA_DIR)
    return folder
  }
  // The library is large, so it is loaded only with a bucket.
  const { s3Store } = await import('./s3-store.ts')
  const bucket = s3Store(env)
  await makeUploadsRoot(env.DATA_DIR)
  return {
    keep: bucket.keep,
    open: (path) => (isInS3(path) ? bucket : folder).open(path),
    isThere: bucket.isThere,
    async remove(upload) {
      await folder.remove(upload)
      await bucket.remove(upload)
    },
    async removeOthers(upload, names) {
      await folder.removeOthers(upload, names)
      await bucket.removeOthers(upload, names)
    },
    held: async () => [...(await folder.held()), ...(await bucket.held())],
  }
}
