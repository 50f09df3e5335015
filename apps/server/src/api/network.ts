import { isIPv4, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Whether an address is this very machine's. */
export const isLoopback = (address: string): boolean => /^(?:127\.|::1$|::ffff:127\.)/.test(address)

/** What a proxy adds to what it passes on. */
const PASSED_ON = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/** Whether a proxy says that it passed this request on. */
export const wasPassedOn = (request: FastifyRequest): boolean =>
  PASSED_ON.some((name) => request.headers[name] !== undefined)

/**
 * What is counted as one visitor of the throttles: an IPv4 address, or of IPv6 the /48. One line is given up to that much, and with its
 * 65,536 networks of /64 it would reach alone what everybody together may.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address) || /^::ffff:/i.test(address)) return address
  return groupsOf(address).slice(0, 3).join(':')
}

/**
 * The network an address lies in, coarse enough to name no household: an IPv4 /24 or an IPv6 /48, such as '203.0.113.0/24'. Null for what is
 * no address.
 */
export function coarseNetwork(address: string): string | null {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 3).join('.')}.0/24`
  return isIPv6(plain) ? `${groupsOf(plain).slice(0, 3).join(':')}::/48` : null
}

/** The first groups of an IPv6 address, those that '::' stands for written out. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const front = head === '' ? [] : head.split(':')
  const missing = tail === undefined ? 0 : 8 - front.length - (tail === '' ? 0 : tail.split(':').length)
  return [...front, ...Array.from({ length: missing }, () => '0')]
}
