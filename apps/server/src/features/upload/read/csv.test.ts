import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_COLUMNS, readCsv } from './csv.ts'
import { plainBytes, utf8Bytes } from './plain-file.ts'

interface Reading {
  names: string[]
  rows: { values: string[]; line: number }[]
  faults: { line: number; reason: string; lines: number }[]
}

async function read(bytes: Buffer, chunk = 1 << 16): Promise<Reading> {
  const reading: Reading = { names: [], rows: [], faults: [] }
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk)
  }
  await readCsv(utf8Bytes(chunks(), 'x.csv'), 'x.csv', {
    columns: new Set(['a', 'b', 'c']),
    header: (names) => void reading.names.push(...names),
    row: (values, line) => void reading.rows.push({ values, line }),
    fault: (line, _value, reason, lines) => void reading.faults.push({ line, reason, lines }),
    pause: async () => {},
  })
  return reading
}

describe('reading CSV', () => {
  it.each([
    ['Unix', '\n'],
    ['Windows', '\r\n'],
  ])('returns rows with their line, faults with the lines they cost (%s)', async (_, end) => {
    const unix = 'a,b\n1,2\n3,"x\ny"\n\n4,5"6\n7,8\n9,"aa"b\n10,11\n12,"13"\n14,15\n1,2,3\n16,"open\n17,18\n'
    const { rows, faults } = await read(Buffer.from(unix.replaceAll('\n', end)))
    expect(rows).toEqual([
      { values: ['1', '2'], line: 2 },
      { values: ['3', 'x\ny'], line: 4 },
      { values: ['7', '8'], line: 7 },
      { values: ['14', '15'], line: 11 },
    ])
    expect(faults).toEqual([
      { line: 6, reason: 'has a quote inside an unquoted value', lines: 1 },
      { line: 8, reason: expect.stringContaining('text after a closing quote'), lines: 3 },
      { line: 12, reason: 'has 3 values for 2 columns', lines: 1 },
      { line: 13, reason: 'opens a quote that is not closed', lines: 2 },
    ])
  })

  it('a header that comes again is a fault, and one with other columns or another order ends the reading', async () => {
    const { rows, faults } = await read(Buffer.from('a,b\n1,a\nb,c2\n\ufeffA, B\n2,3\n'))
    expect(rows.map(({ values }) => values.join())).toEqual(['1,a', 'b,c2', '2,3'])
    expect(faults).toEqual([{ line: 4, reason: expect.stringMatching(/^repeats the header/), lines: 1 }])
    for (const other of ['b,a', 'a,c', 'a,b,c'])
      await expect(read(Buffer.from(`a,b\n1,2\n${other}\n3,4\n`))).rejects.toThrow(
        /^x\.csv has a second header, .* in line 3:/,
      )
  })

  it('reads NULL as empty, as databases write it, and nothing else', async () => {
    const { rows } = await read(Buffer.from('a,b,c,NULL\nNULL,"NULL",x,\nnull,N/A,NULLA,a NULL\n'))
    expect(rows.map(({ values }) => values)).toEqual([
      ['', '', 'x', ''],
      ['null', 'N/A', 'NULLA', 'a NULL'],
    ])
  })

  it('reads different line ends in one file', async () => {
    const { rows, faults } = await read(Buffer.from('a,b\r\n1,2\n3,"x\r\ny"\r5,6\r\n7,8'), 1)
    expect(faults).toEqual([])
    expect(rows).toEqual([
      { values: ['1', '2'], line: 2 },
      { values: ['3', 'x\ny'], line: 4 },
      { values: ['5', '6'], line: 5 },
      { values: ['7', '8'], line: 6 },
    ])
  })

  it('reads an old Macintosh file to its end, whatever its chunks', async () => {
    for (const chunk of [1, 7, 100]) {
      const { rows, faults } = await read(Buffer.from('a,b\r1,2\r3,"x\r"\r'), chunk)
      expect(faults).toEqual([])
      expect(rows.map(({ values }) => values)).toEqual([
        ['1', '2'],
        ['3', 'x\r'],
      ])
    }
    // A quote left open swallows the last line end too, as part of what was sent.
    const { faults } = await read(Buffer.from('a,b\r1,"2\r'))
    expect(faults).toEqual([{ line: 2, reason: 'opens a quote that is not closed', lines: 1 }])
  })

  it('takes as many columns as it says, and no more', async () => {
    const wide = (count: number) => read(Buffer.from(`${Array.from({ length: count }, (_, at) => `c${at}`).join()}\n`))
    await expect(wide(MAX_COLUMNS)).resolves.toMatchObject({ rows: [], faults: [] })
    await expect(wide(MAX_COLUMNS + 1)).rejects.toThrow(`x.csv has 201 columns; at most ${MAX_COLUMNS} are read.`)
  })

  it('reads a header as spreadsheets write it: a byte order mark, quotes, capitals and spaces', async () => {
    const { names, rows } = await read(Buffer.from('\uFEFF"Script_ID", Dispensed_On ,"DRUG_ID "\n1,2,3\n'))
    expect(names).toEqual(['script_id', 'dispensed_on', 'drug_id'])
    expect(rows).toEqual([{ values: ['1', '2', '3'], line: 2 }])
  })

  it('reads no more text than the limit, packed or not', async () => {
    const text = Buffer.from(`a\n${'1\n'.repeat(49)}`)
    const size = async (file: Buffer, limit: number) => {
      let bytes = 0
      for await (const chunk of plainBytes(async () => Readable.from([file]), 'x.csv', limit)) bytes += chunk.length
      return bytes
    }
    for (const file of [text, gzipSync(text)]) {
      expect(await size(file, 100)).toBe(100)
      await expect(size(file, 99)).rejects.toThrow('x.csv holds more than 0 MB of text.')
    }
  })

  it('accounts for every line, with quotes anywhere and chunks of any size', async () => {
    const cell = fc.constantFrom('1', 'ab', 'é', '', '"x"', '"x""y"', '"', 'a"b', '"a"b')
    const line = fc.array(cell, { minLength: 1, maxLength: 3 }).map((cells) => cells.join(','))
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 12 }),
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        fc.constantFrom('\n', '\r\n'),
        async (lines, chunk, end, sign) => {
          const text = ['h,i', ...lines].join(sign) + (end ? sign : '')
          const { rows, faults } = await read(Buffer.from(text), chunk)
          const filled = lines.filter((one) => one !== '')
          const inRows = rows.reduce((sum, one) => sum + 1 + one.values.join('').split('\n').length - 1, 0)
          const inFaults = faults.reduce((sum, one) => sum + one.lines, 0)
          // A blank line inside a quote is part of its row or fault.
          expect(inRows + inFaults).toBeGreaterThanOrEqual(filled.length)
          expect(inRows + inFaults).toBeLessThanOrEqual(lines.length)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('reads characters split between chunks', async () => {
    const { rows } = await read(Buffer.from('a\né💊ü\n'), 1)
    expect(rows).toEqual([{ values: ['é💊ü'], line: 2 }])
  })
})
