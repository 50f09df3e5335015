import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** What kind of value is sealed. Each kind has its own key, derived from the installation's secret. */
type Purpose = 'mail body' | 'upload key' | 'authenticator app' | 'report file' | 'ethics approval' | 'request answer'

const NONCE_BYTES = 12
const TAG_END = 28

const keyOf = (secret: Buffer, purpose: Purpose) => Buffer.from(hkdfSync('sha256', secret, '', `pillar ${purpose}`, 32))

/**
 * AES-256-GCM of bytes; `owner` (a recipient, a pharmacy, a row) is authenticated, so a sealed value cannot be moved to another row. Order:
 * nonce, tag, ciphertext.
 */
export function sealBytes(secret: Buffer, bytes: Uint8Array, owner: string, purpose: Purpose): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret, purpose), nonce)
  cipher.setAAD(Buffer.from(owner))
  const body = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** The decrypted bytes. Throws if the secret, the owner, the purpose or a single bit differs. */
export function unsealBytes(secret: Buffer, sealed: Buffer, owner: string, purpose: Purpose): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret, purpose), nonce, { authTagLength: 16 })
  decipher.setAAD(Buffer.from(owner))
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, TAG_END))
  return Buffer.concat([decipher.update(sealed.subarray(TAG_END)), decipher.final()])
}

/** Seals a text in the same way. */
export function seal(secret: Buffer, text: string, owner: string, purpose: Purpose): Buffer {
  return sealBytes(secret, Buffer.from(text), owner, purpose)
}

/** The decrypted text. Throws as `unsealBytes` does. */
export function unseal(secret: Buffer, sealed: Buffer, owner: string, purpose: Purpose): string {
  return unsealBytes(secret, sealed, owner, purpose).toString('utf8')
}
