import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Whether an address belongs to this machine itself. */
export const isLoopback = (address: string): boolean => /^(?:127\.|::1$|::ffff:127\.)/.test(address)

/** Headers a proxy adds to a request it passes on. */
const PASSED_ON = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/** Whether a header shows that a proxy passed this request on. */
export const wasPassedOn = (request: FastifyRequest): boolean =>
  PASSED_ON.some((name) => request.headers[name] !== undefined)

/** An address as some proxies write it: with a port, and an IPv6 one in brackets. */
const withoutPort = (address: string): string =>
  address.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1').replace(/^\[(.*)\](:\d+)?$/, '$1')

/** The visitor's address: what the nearest proxy that is not ours reports. */
export const addressOf = ({ ip }: FastifyRequest): string => withoutPort(ip)

/** Which addresses belong to our proxies: this machine's, and these addresses and networks. */
export function trusts(proxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const proxy of ['127.0.0.0/8', '::1', ...proxies]) {
    const [address = '', bits] = proxy.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return (given) => {
    const address = withoutPort(given)
    return isIP(address) !== 0 && list.check(address, familyOf(address))
  }
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')

/**
 * What the throttles count as one visitor: an IPv4 address, or an IPv6 /48. One line may be given up to a /48, and with its 65,536 networks
 * of /64 it alone could use up the limit for everybody together.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address) || /^::ffff:/i.test(address)) return address
  return groupsOf(address).slice(0, 3).join(':')
}

/**
 * The network of an address, too coarse to name a household: an IPv4 /24 or an IPv6 /48, such as '203.0.113.0/24'. Null if it is not an
 * address.
 */
export function coarseNetwork(address: string): string | null {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 3).join('.')}.0/24`
  return isIPv6(plain) ? `${groupsOf(plain).slice(0, 3).join(':')}::/48` : null
}

/** The first groups of an IPv6 address, with '::' written out. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const front = head === '' ? [] : head.split(':')
  const missing = tail === undefined ? 0 : 8 - front.length - (tail === '' ? 0 : tail.split(':').length)
  return [...front, ...Array.from({ length: missing }, () => '0')]
}
