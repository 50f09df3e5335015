import type { Readable } from 'node:stream'

/** The files' owner: no request can name files of another pharmacy. */
export interface UploadPlace {
  locationId: number
  uuid: string
}

/** An upload with stored files, and when a file was last added. */
export interface HeldUpload extends UploadPlace {
  touchedAt: Date
}

/** Opens a file from its beginning. Opening or reading throws an error with a code: ENOENT if the file is missing. */
export type OpenFile = () => Promise<Readable>

/**
 * Where the files of received uploads stay until they are loaded. Parts still arriving are in DATA_DIR in any case. Every error carries a
 * code like the file system's: ENOENT for a file that is gone, EIO if the store could not be asked.
 */
export interface FileStore {
  /**
   * Stores completely received files.
   * @param parts path of each on this machine, by name
   * @returns the path by which each is opened from now on, by name
   * @throws StoreAway if it cannot store them; the parts are then unchanged
   */
  keep: (upload: UploadPlace, parts: ReadonlyMap<string, string>) => Promise<Map<string, string>>
  /** A stored file, by the path from `keep`. */
  open: (path: string) => OpenFile
  /** Whether the store itself is available, so that a file missing from it is really gone. */
  isThere: () => Promise<boolean>
  /** Removes everything stored for an upload, including parts. */
  remove: (upload: UploadPlace) => Promise<void>
  /** Removes the stored files of an upload except those with these names. */
  removeOthers: (upload: UploadPlace, names: ReadonlySet<string>) => Promise<void>
  held: () => Promise<HeldUpload[]>
}

/** Whether a stored file's path is in a bucket. */
export const isInS3 = (path: string): boolean => path.startsWith('s3://')

/** The store does not answer, or answers wrongly. */
export class StoreAway extends Error {
  readonly code = 'EIO'

  constructor(cause: unknown) {
    super('The store of uploads did not do as asked.', { cause })
    this.name = 'StoreAway'
  }
}
