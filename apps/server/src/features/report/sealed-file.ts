import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { sealBytes, unsealBytes } from '../../api/seal.ts'

/** A text compressed, then sealed with the installation's secret; `owner` is bound in, so that it opens nowhere else. */
export async function sealFile(secret: Buffer, text: string, owner: string): Promise<Buffer> {
  return sealBytes(secret, await promisify(gzip)(text), owner, 'report file')
}

/** The text again. @throws when the secret, the owner or a single bit is not the one it was sealed with */
export async function unsealFile(secret: Buffer, sealed: Buffer, owner: string): Promise<string> {
  return (await promisify(gunzip)(unsealBytes(secret, sealed, owner, 'report file'))).toString('utf8')
}
