import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { generateSync } from 'otplib'

/** The code an authenticator app with this secret shows at a time, in seconds since 1970. */
export const codeAt = (secret: string, seconds: number): string => generateSync({ secret, epoch: Math.floor(seconds) })

/** An authenticator in software: an ES256 key that answers as a browser would. */
export function authenticator(origin = 'http://localhost:3000') {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  const { x, y } = publicKey.export({ format: 'jwk' })
  const point = (part: string | undefined) => Buffer.from(part ?? '', 'base64url')
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    point(x),
    Buffer.from('225820', 'hex'),
    point(y),
  ])
  let counter = 0
  const data = (attested: boolean) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(++counter)
    const head = [createHash('sha256').update('localhost').digest(), Buffer.from([attested ? 0x45 : 0x05]), count]
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    return Buffer.concat(attested ? [...head, Buffer.alloc(16), length, id, cose] : head)
  }
  const client = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const shell = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key' as const,
    clientExtensionResults: {},
  }
  return {
    make(challenge: string) {
      const authData = data(true)
      // CBOR: {"fmt": "none", "attStmt": {}, "authData": bytes}
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
        Buffer.from([0x58, authData.length]),
        authData,
      ])
      const response = {
        clientDataJSON: client('webauthn.create', challenge).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      }
      return { ...shell, response }
    },
    answer(challenge: string) {
      const authData = data(false)
      const json = client('webauthn.get', challenge)
      const signature = sign(
        'sha256',
        Buffer.concat([authData, createHash('sha256').update(json).digest()]),
        privateKey,
      )
      const response = {
        clientDataJSON: json.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
      }
      return { ...shell, response }
    },
  }
}
