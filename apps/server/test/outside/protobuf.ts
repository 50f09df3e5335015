/** The values of a message's field, one per occurrence: numbers in wire form, everything else as bytes. */
export type Fields = Map<number, (bigint | Buffer)[]>

/** Reads a Protocol Buffers message by its wire format (protobuf.dev, encoding), without knowing what its fields mean. */
export function readFields(message: Buffer): Fields {
  const fields: Fields = new Map()
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++]!
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const bytes = (count: number) => {
    at += count
    return message.subarray(at - count, at)
  }
  while (at < message.length) {
    const tag = Number(varint())
    const kind = tag & 7
    const value =
      kind === 0
        ? varint()
        : kind === 1
          ? bytes(8)
          : kind === 2
            ? bytes(Number(varint()))
            : kind === 5
              ? bytes(4)
              : null
    if (value === null) throw new Error(`a field of wire type ${kind}`)
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value])
  }
  return fields
}

export const messagesIn = (fields: Fields, number: number): Fields[] =>
  (fields.get(number) ?? []).map((value) => readFields(value as Buffer))
export const bytesIn = (fields: Fields, number: number): Buffer =>
  (fields.get(number)?.[0] as Buffer) ?? Buffer.alloc(0)
export const textIn = (fields: Fields, number: number): string => bytesIn(fields, number).toString('utf8')
export const hexIn = (fields: Fields, number: number): string => bytesIn(fields, number).toString('hex')
