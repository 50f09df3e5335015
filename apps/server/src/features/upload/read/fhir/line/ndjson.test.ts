import { describe, expect, it } from 'vitest'
import { MAX_LINE_BYTES, readNdjson } from './ndjson.ts'

/** Lines of a text that arrives in pieces of this many bytes. */
async function linesOf(text: string, size: number): Promise<[string, number][]> {
  const bytes = Buffer.from(text)
  const lines: [string, number][] = []
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  await readNdjson(pieces(), 'Patient.ndjson', { line: (line, at) => lines.push([line, at]), pause: async () => {} })
  return lines
}

describe('NDJSON', () => {
  it.each([1, 2, 3, 7, 1000])('is read line by line in pieces of %i bytes', async (size) => {
    const text = '\ufeff{"a":"é"}\r\n\n  \r\n{"b":"💊"}\n{"c":1}'
    expect(await linesOf(text, size)).toEqual([
      ['{"a":"é"}', 1],
      ['{"b":"💊"}', 4],
      ['{"c":1}', 5],
    ])
  })

  it('holds no lines in an empty file', async () => expect(await linesOf('', 10)).toEqual([]))

  it('reads a line of 1 MB and refuses a longer one before it has read it', async () => {
    expect(await linesOf('x'.repeat(MAX_LINE_BYTES), 64 * 1024)).toHaveLength(1)
    let read = 0
    async function* endless() {
      for (;;) {
        read += 64 * 1024
        yield Buffer.alloc(64 * 1024, 'x')
      }
    }
    const reading = readNdjson(endless(), 'Patient.ndjson', { line: () => {}, pause: async () => {} })
    await expect(reading).rejects.toThrow('Patient.ndjson has a line of more than 1 MB, line 1')
    expect(read).toBeLessThan(2 * MAX_LINE_BYTES)
  })
})
