import type { Readable } from 'node:stream'

/** Whose files they are: no pharmacy's lie where another's could be named. */
export interface UploadPlace {
  locationId: number
  uuid: string
}

/** An upload whose files are held, and when something was last put there. */
export interface HeldUpload extends UploadPlace {
  touchedAt: Date
}

/** Opens a file from its beginning. It, or reading, throws an error with a code: ENOENT without the file. */
export type OpenFile = () => Promise<Readable>

/**
 * Where whole files of uploads lie until they are loaded. Parts that are still arriving lie in DATA_DIR in any case. Every error carries
 * a code as the file system's do: ENOENT for a file that is gone, EIO where the store could not be asked.
 */
export interface FileStore {
  /**
   * Takes in the files that have arrived whole.
   * @param parts path of each on this machine, by name
   * @returns the path under which each is opened from now on, by name
   * @throws StoreAway when it cannot take them; the parts are then as they were
   */
  keep: (upload: UploadPlace, parts: ReadonlyMap<string, string>) => Promise<Map<string, string>>
  /** A kept file, by the path that `keep` gave. */
  open: (path: string) => OpenFile
  /** Whether the store itself is there, so that a file missing in it is gone. */
  isThere: () => Promise<boolean>
  /** Removes all that is held of an upload, parts included. */
  remove: (upload: UploadPlace) => Promise<void>
  /** Removes the kept files of an upload but those of these names. */
  removeOthers: (upload: UploadPlace, names: ReadonlySet<string>) => Promise<void>
  held: () => Promise<HeldUpload[]>
}

/** The store does not answer, or not as it should. */
export class StoreAway extends Error {
  readonly code = 'EIO'

  constructor(cause: unknown) {
    super('The store of uploads did not do as asked.', { cause })
    this.name = 'StoreAway'
  }
}
