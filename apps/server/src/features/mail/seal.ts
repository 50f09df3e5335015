import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const keyOf = (secret: Buffer) => Buffer.from(hkdfSync('sha256', secret, '', 'pillar mail body', 32))

/**
 * AES-256-GCM of a text with a key derived from the installation's secret; `owner` (the recipient) is authenticated, so that
 * a sealed text cannot be moved to another row. Order: nonce, tag, ciphertext.
 */
export function seal(secret: Buffer, text: string, owner: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce)
  cipher.setAAD(Buffer.from(owner))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** The decrypted text. Throws when the secret, the owner or a single bit differs. */
export function unseal(secret: Buffer, sealed: Buffer, owner: string): string {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), sealed.subarray(0, 12), { authTagLength: 16 })
  decipher.setAAD(Buffer.from(owner))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return decipher.update(sealed.subarray(28), undefined, 'utf8') + decipher.final('utf8')
}
