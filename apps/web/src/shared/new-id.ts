/** 128 random bits as hex. `crypto.randomUUID` is missing on a page served over plain http from another machine, as in a trial run. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
