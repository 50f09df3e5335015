import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

const keyOf = (secret: Buffer) => Buffer.from(hkdfSync('sha256', secret, '', 'pillar report file', 32))

/** A text compressed, then AES-256-GCM under a key derived from the installation's secret; `owner` is bound in, so that it opens nowhere else. */
export async function sealFile(secret: Buffer, text: string, owner: string): Promise<Buffer> {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce)
  cipher.setAAD(Buffer.from(owner))
  const body = Buffer.concat([cipher.update(await promisify(gzip)(text)), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** The text again. @throws when the secret, the owner or a single bit is not the one it was sealed with */
export async function unsealFile(secret: Buffer, sealed: Buffer, owner: string): Promise<string> {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), sealed.subarray(0, 12), { authTagLength: 16 })
  decipher.setAAD(Buffer.from(owner))
  decipher.setAuthTag(sealed.subarray(12, 28))
  const packed = Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
  return (await promisify(gunzip)(packed)).toString('utf8')
}
