import { describe, expect, it } from 'vitest'
import { MAX_LINE_BYTES, readNdjson } from './ndjson.ts'

/** Lines of a text that arrives in pieces of this many bytes. */
async function linesOf(text: string, size: number): Promise<[string | null, number][]> {
  const bytes = Buffer.from(text)
  const lines: [string | null, number][] = []
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  await readNdjson(pieces(), { line: (line, at) => lines.push([line, at]), pause: async () => {} })
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

  it('has no lines in an empty file', async () => expect(await linesOf('', 10)).toEqual([]))

  it('skips a line of more than 1 MB without keeping it, and continues after it', async () => {
    expect(await linesOf('x'.repeat(MAX_LINE_BYTES), 64 * 1024)).toHaveLength(1)
    const lines = [1, 2, 3].map((n) => JSON.stringify({ n, photo: n === 2 ? 'x'.repeat(5 * MAX_LINE_BYTES) : '' }))
    expect(await linesOf(lines.join('\n'), 64 * 1024)).toEqual([
      [lines[0], 1],
      [null, 2],
      [lines[2], 3],
    ])
    expect(await linesOf(`${'x'.repeat(MAX_LINE_BYTES + 1)}`, 1000)).toEqual([[null, 1]])
  })
})
