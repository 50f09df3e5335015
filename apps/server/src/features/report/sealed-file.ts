import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip, gunzip } from 'node:zlib'
import { sealBytes, unsealBytes } from '../../api/seal.ts'

/** Compresses a text part by part as it arrives. @throws what the parts throw */
export const compress = (parts: Iterable<string> | AsyncIterable<string>): Promise<Buffer> =>
  pipeline(parts, createGzip(), (compressed) => buffer(compressed))

/** A compressed text sealed with the installation's secret; bound to `owner`, so that it opens nowhere else. */
export function sealFile(secret: Buffer, compressed: Buffer, owner: string): Buffer {
  return sealBytes(secret, compressed, owner, 'report file')
}

/** Opens and decompresses the text. @throws if the secret, the owner or a single bit differs */
export async function unsealFile(secret: Buffer, sealed: Buffer, owner: string): Promise<string> {
  return (await promisify(gunzip)(unsealBytes(secret, sealed, owner, 'report file'))).toString('utf8')
}
