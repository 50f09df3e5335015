import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Whether an address is this very machine's. */
export const isLoopback = (address: string): boolean => /^(?:127\.|::1$|::ffff:127\.)/.test(address)

/** What a proxy adds to what it passes on. */
const PASSED_ON = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/** Whether a proxy says that it passed this request on. */
export const wasPassedOn = (request: FastifyRequest): boolean =>
  PASSED_ON.some((name) => request.headers[name] !== undefined)

/** One home or office holds a whole /64 of IPv6 addresses, so they count as one: its first four groups. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail] = address.split('::')
  const front = head === '' ? [] : head.split(':')
  const missing = tail === undefined ? 0 : 8 - front.length - (tail === '' ? 0 : tail.split(':').length)
  return [...front, ...Array.from({ length: missing }, () => '0')].slice(0, 4).join(':')
}
