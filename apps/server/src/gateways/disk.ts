import { statfs } from 'node:fs/promises'

/** The disk that holds uploads. */
export interface Disk {
  /** Bytes this process may still write to the disk of `path`, which must exist. @throws the file system's errors */
  freeBytes: (path: string) => Promise<number>
}

export const disk: Disk = {
  async freeBytes(path) {
    const { bavail, bsize } = await statfs(path)
    return bavail * bsize
  },
}
