import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** DER: one value of a type, by its tag. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

const [SEQUENCE, SET, OBJECT, BITS, OCTETS, TEXT, TIME, WHOLE] = [0x30, 0x31, 0x06, 0x03, 0x04, 0x0c, 0x17, 0x02]
const ECDSA_SHA256 = der(SEQUENCE, der(OBJECT, Buffer.from('2a8648ce3d040302', 'hex')))

/** A certificate for one DNS name, signed with its own key and good until 2049; with the key, as `https.createServer` takes them. */
export function selfSigned(name: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const named = der(
    SEQUENCE,
    der(SET, der(SEQUENCE, der(OBJECT, Buffer.from('550403', 'hex')), der(TEXT, Buffer.from(name)))),
  )
  const dates = der(SEQUENCE, der(TIME, Buffer.from('200101000000Z')), der(TIME, Buffer.from('490101000000Z')))
  const names = der(OCTETS, der(SEQUENCE, der(0x82, Buffer.from(name))))
  const extensions = der(0xa3, der(SEQUENCE, der(SEQUENCE, der(OBJECT, Buffer.from('551d11', 'hex')), names)))
  const version = der(0xa0, der(WHOLE, Buffer.from([2])))
  const publicPart = publicKey.export({ type: 'spki', format: 'der' })
  const said = der(
    SEQUENCE,
    version,
    der(WHOLE, Buffer.from([1])),
    ECDSA_SHA256,
    named,
    dates,
    named,
    publicPart,
    extensions,
  )
  return {
    key: pem(privateKey),
    cert: pem(der(SEQUENCE, said, ECDSA_SHA256, der(BITS, Buffer.from([0]), sign('sha256', said, privateKey)))),
  }
}

const pem = (what: KeyObject | Buffer): string =>
  Buffer.isBuffer(what)
    ? `-----BEGIN CERTIFICATE-----\n${what.toString('base64')}\n-----END CERTIFICATE-----\n`
    : what.export({ type: 'pkcs8', format: 'pem' }).toString()
