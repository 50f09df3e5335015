/**
 * The key that identifies a pharmacy's uploads: a prefix that secret scanners can recognise, 256 random bits as 43 letters and digits, and 6 more
 * derived from these, so that a mistyped key is noticed. It never begins with a dash, which a command line would take for an option. Older keys
 * have no prefix and still work.
 */
export const UPLOAD_KEY_PREFIX = 'pillar_upload_'

/** Any text in the form of a key, wherever it occurs; `checksum` decides whether it can be one. */
export const UPLOAD_KEY_PATTERN = /pillar_upload_[0-9A-Za-z]{49}(?![0-9A-Za-z])/

/** Random bytes of a key. */
export const UPLOAD_KEY_BYTES = 32
const RANDOM_LETTERS = 43
const CHECK_LETTERS = 6
const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The key of 32 random bytes. @throws RangeError for any other number of bytes */
export function uploadKeyOf(random: Uint8Array): string {
  if (random.length !== UPLOAD_KEY_BYTES) throw new RangeError(`A key is made of ${UPLOAD_KEY_BYTES} bytes.`)
  const number = random.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  const letters = base62(number, RANDOM_LETTERS)
  return UPLOAD_KEY_PREFIX + letters + checksum(letters)
}

/** What is wrong with a copied key; null if it looks right, or has no prefix to check by. */
export function uploadKeyProblem(key: string): string | null {
  if (!key.startsWith(UPLOAD_KEY_PREFIX)) return null
  const letters = key.slice(UPLOAD_KEY_PREFIX.length)
  const random = letters.slice(0, RANDOM_LETTERS)
  if (letters.slice(RANDOM_LETTERS) === checksum(random)) return null
  return 'This key is incomplete or mistyped. Copy the whole key.'
}

/** A text with the secret part of every key, complete or cut off, replaced. */
export function withoutUploadKeys(text: string): string {
  return text.includes(UPLOAD_KEY_PREFIX) ? text.replace(/(pillar_upload_)[0-9A-Za-z]+/g, '$1[redacted]') : text
}

/** CRC-32 (ISO 3309, as in PNG and gzip) of the random letters in base 62. */
const checksum = (letters: string) => base62(BigInt(crc32(letters)), CHECK_LETTERS)

function base62(number: bigint, length: number): string {
  let text = ''
  for (let rest = number; text.length < length; rest /= 62n) text = LETTERS.charAt(Number(rest % 62n)) + text
  return text
}

function crc32(text: string): number {
  let crc = 0xffffffff
  for (let at = 0; at < text.length; at++) {
    crc ^= text.charCodeAt(at)
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return ~crc >>> 0
}

/** Days for which a replaced key keeps working beside the new one: by default, and at most. */
export const KEY_OVERLAP_DAYS = { standard: 7, most: 30 } as const
