import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

/** A key of the installation: it only wraps data keys. */
export interface MasterKey {
  /** The start of its hash, 16 hex digits. */
  id: string
  key: KeyObject
}

/** The keys of one column, derived from one data key, each for one purpose. */
export interface FieldKey {
  /** The row in `data_key`; stands at the head of everything made with the key. */
  id: number
  column: string
  seal: KeyObject
  nonce: KeyObject
  index: KeyObject
}

const VERSION = 1
const HEADER = 5
const NONCE = 12
const TAG = 16
const INDEX = 16
const CIPHER = 'aes-256-gcm'

/** This many leading bytes of a sealed field tell apart the texts of one row: the key's id, and the nonce, a keyed hash of row and text. */
export const MARK_LENGTH = HEADER + NONCE

/** @param bytes 32 random bytes */
export function masterKey(bytes: Buffer): MasterKey {
  const id = createHash('sha256').update('pillar key id').update(bytes).digest('hex').slice(0, 16)
  return { id, key: createSecretKey(bytes) }
}

/** A new data key: 32 random bytes. */
export const newDataKey = (): Buffer => randomBytes(32)

/** AES-256-GCM of a data key, bound to its id, its column and the key that wraps it. Order: nonce, tag, ciphertext. */
export function wrapDataKey(master: MasterKey, bytes: Buffer, of: { id: number; column: string }): Buffer {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv(CIPHER, master.key, nonce)
  cipher.setAAD(wrapOwner(master, of))
  const body = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** Unwraps a data key. @throws if the wrapping key, the id, the column or a bit differs */
export function unwrapDataKey(master: MasterKey, wrapped: Buffer, of: { id: number; column: string }): Buffer {
  return decipher(master.key, wrapped, wrapOwner(master, of))
}

const wrapOwner = (master: MasterKey, { id, column }: { id: number; column: string }) =>
  Buffer.from(`pillar data key ${master.id} ${id} ${column}`)

/** The keys derived from a data key (HKDF-SHA-256, RFC 5869). */
export function fieldKey(bytes: Buffer, of: { id: number; column: string }): FieldKey {
  const derive = (use: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', bytes, '', `pillar ${use} ${of.column}`, 32)))
  return { ...of, seal: derive('seal'), nonce: derive('nonce'), index: derive('index') }
}

/**
 * AES-256-GCM of a text; key, column and row are authenticated, so a sealed value opens nowhere else. The nonce is an HMAC of row and text
 * under its own key: the same text in the same row always seals to the same bytes, so an upload that changes nothing writes nothing, and
 * two texts share a nonce only by chance (2^-96 a pair). Order: version, id of the key, nonce, tag, ciphertext.
 * @param row identifies the row for good, within its table
 */
export function sealField(key: FieldKey, row: string, text: string): Buffer {
  const header = headerOf(key)
  const owner = ownerOf(key, row, header)
  const plain = Buffer.from(text)
  const nonce = createHmac('sha256', key.nonce).update(sizeOf(owner)).update(owner).update(plain).digest()
  const cipher = createCipheriv(CIPHER, key.seal, nonce.subarray(0, NONCE))
  cipher.setAAD(owner)
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([header, nonce.subarray(0, NONCE), cipher.getAuthTag(), body])
}

/** The stored value differs from what was sealed: it never opens again. */
export class AlteredField extends Error {}

/** Opens a sealed text. @throws AlteredField if the key, the column, the row or a single bit differs */
export function openField(key: FieldKey, row: string, sealed: Buffer): string {
  const header = sealed.subarray(0, HEADER)
  if (!header.equals(headerOf(key))) throw new AlteredField('a sealed field names another key')
  try {
    return decipher(key.seal, sealed.subarray(HEADER), ownerOf(key, row, header)).toString('utf8')
  } catch (error) {
    throw new AlteredField('a sealed field is not as it was sealed', { cause: error })
  }
}

/** The data key a field was sealed with; 0 if it is not a sealed field. */
export const keyIdOf = (sealed: Buffer): number =>
  sealed.length >= HEADER + NONCE + TAG && sealed[0] === VERSION ? sealed.readUInt32BE(1) : 0

/** The head of everything sealed with a key, as the database compares it. */
export function headerOf(key: Pick<FieldKey, 'id'>): Buffer {
  const header = Buffer.alloc(HEADER, VERSION)
  header.writeUInt32BE(key.id, 1)
  return header
}

/**
 * Stands for a value in look-ups: the id of the key and 16 bytes of HMAC-SHA-256. It reveals which rows hold the same value and, to a
 * holder of the key, whether a guess is right; nothing else.
 * @param value normalised: E.164, lower case
 */
export function blindIndex(key: FieldKey, value: string): Buffer {
  const digest = createHmac('sha256', key.index).update(value).digest().subarray(0, INDEX)
  return Buffer.concat([headerOf(key).subarray(1), digest])
}

function decipher(key: KeyObject, bytes: Buffer, owner: Buffer): Buffer {
  const opened = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE), { authTagLength: TAG })
  opened.setAAD(owner)
  opened.setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
  return Buffer.concat([opened.update(bytes.subarray(NONCE + TAG)), opened.final()])
}

const ownerOf = (key: FieldKey, row: string, header: Buffer) =>
  Buffer.concat([header, Buffer.from(`${key.column}\0${row}`)])

function sizeOf(bytes: Buffer): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(bytes.length)
  return size
}
