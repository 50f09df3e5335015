import type { Challenge } from '@pillar/contract/message/consent'

/** Far more than the server's challenges need; ends one that cannot be solved. */
const MOST_TRIES = 20_000

const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
const hexOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Finds the counter whose key begins as the challenge requires, and writes it as ALTCHA's own widget does. The hashing runs outside this thread, so
 * the page stays usable. @throws Error if the browser has no Web Crypto (a page not opened over https)
 */
export async function solve({ parameters, signature }: Challenge): Promise<string> {
  if (!globalThis.crypto?.subtle) throw new Error('This browser cannot run the check.')
  const nonce = bytesOf(parameters.nonce)
  const password = new Uint8Array(nonce.length + 4)
  password.set(nonce)
  const counterAt = new DataView(password.buffer)
  const hash = { name: 'PBKDF2', hash: 'SHA-256', salt: bytesOf(parameters.salt), iterations: parameters.cost }
  for (let counter = 0; counter < MOST_TRIES; counter++) {
    counterAt.setUint32(nonce.length, counter)
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
    const derivedKey = hexOf(new Uint8Array(await crypto.subtle.deriveBits(hash, key, parameters.keyLength * 8)))
    if (derivedKey.startsWith(parameters.keyPrefix)) {
      return btoa(JSON.stringify({ challenge: { parameters, signature }, solution: { counter, derivedKey } }))
    }
  }
  throw new Error('The check found no answer.')
}
