import { isIPv6 } from 'node:net'

/** Whether an address is this very machine's. */
export const isLoopback = (address: string): boolean => /^(?:127\.|::1$|::ffff:127\.)/.test(address)

/** One home or office holds a whole /64 of IPv6 addresses, so they count as one: its first four groups. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail] = address.split('::')
  const front = head === '' ? [] : head.split(':')
  const missing = tail === undefined ? 0 : 8 - front.length - (tail === '' ? 0 : tail.split(':').length)
  return [...front, ...Array.from({ length: missing }, () => '0')].slice(0, 4).join(':')
}
