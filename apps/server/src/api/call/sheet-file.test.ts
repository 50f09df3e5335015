import { inflateRawSync } from 'node:zlib'
import type { Sheet } from '@pillar/contract/wire/sheet'
import { readXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { writeSheet } from './sheet-file.ts'

async function bytesOf(sheet: Sheet): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of writeSheet(sheet)) parts.push(Buffer.from(part as Uint8Array))
  return Buffer.concat(parts)
}

const text = (head: string) => ({ head, kind: 'text', width: 20 }) as const
const sheetOf = (rows: Sheet['rows'], columns: Sheet['columns']): Sheet => ({
  name: 'Revenue',
  country: 'AU',
  columns,
  rows,
})

const FORMULAS = ['=HYPERLINK("https://attacker.example")', '+1+cmd|calc', '-2+3', '@SUM(A1)', '\t=1', '＝1+1', '{=1}']

describe('an Excel file', () => {
  it('stores text as text, whatever it begins with, so no cell is a formula', async () => {
    const bytes = await bytesOf(
      sheetOf(
        FORMULAS.map((one) => [one]),
        [text('=1+1')],
      ),
    )
    const { sheets } = await readXlsx(bytes)
    expect(sheets[0]!.rows.map(([cell]) => cell)).toEqual(['=1+1', ...FORMULAS])
    const xml = sheetXml(bytes)
    expect(xml).not.toMatch(/<f[ >]|<hyperlink|t="str"/)
    expect(xml.match(/t="inlineStr"/g)).toHaveLength(FORMULAS.length + 1)
  })

  it('stores numbers as numbers, shares as fractions and days as dates, each with the format of its column', async () => {
    const columns = [
      ...(['money', 'count', 'percent', 'date'] as const).map((kind) => ({ head: kind, kind, width: 12 })),
      text('note'),
    ]
    const bytes = await bytesOf(
      sheetOf(
        [
          [1234.56, 7, 0.8082, '2026-11-20', null],
          [-5, null, null, null, 'x'],
        ],
        columns,
      ),
    )
    const { sheets } = await readXlsx(bytes)
    const [, first, second] = sheets[0]!.rows
    expect(first!.slice(0, 3)).toEqual([1234.56, 7, 0.8082])
    expect((first![3] as Date).toISOString()).toBe('2026-11-20T00:00:00.000Z')
    expect(second!.slice(0, 2)).toEqual([-5, null])
    const styles = partOf(bytes, 'xl/styles.xml')
    for (const format of ['&quot;$&quot;#,##0', '0.00%', 'd mmm yyyy']) expect(styles).toContain(`"${format}"`)
  })

  it('can be opened whatever characters a name contains', async () => {
    const bytes = await bytesOf(sheetOf([['a\u0001b\u000bc <&> "d" \ud800 e']], [text('name')]))
    const { sheets } = await readXlsx(bytes)
    expect(sheets[0]!.rows[1]).toEqual(['a b c <&> "d" \ufffd e'])
  })

  it('cuts long text between characters, never within one', async () => {
    const long = `${'x'.repeat(32_766)}😀`
    const sheet = { ...sheetOf([[long]], [text('name')]), name: `${'n'.repeat(30)}😀` }
    const bytes = await bytesOf(sheet)
    expect(sheetXml(bytes).match(/>x+.?</u)?.[0].length).toBe(32_766 + 2)
    expect(partOf(bytes, 'xl/workbook.xml')).toContain(`name="${'n'.repeat(30)}"`)
  })

  it('can be opened whatever its own name contains', async () => {
    const named = async (name: string) =>
      partOf(await bytesOf({ ...sheetOf([['a']], [text('a')]), name }), 'xl/workbook.xml')
    expect(await named("'A\u0001:b'")).toContain('name="A  b"')
    expect(await named("''")).toContain('name="Sheet1"')
  })

  it.each([
    ['US', '&quot;$&quot;#,##0', 'mmm d, yyyy'],
    ['GB', '&quot;£&quot;#,##0', 'd mmm yyyy'],
  ] as const)('formats money and dates as usual in %s', async (country, money, date) => {
    const columns = (['money', 'date'] as const).map((kind) => ({ head: kind, kind, width: 12 }))
    const styles = partOf(await bytesOf({ ...sheetOf([[1, '2026-11-20']], columns), country }), 'xl/styles.xml')
    for (const format of [money, date]) expect(styles).toContain(`"${format}"`)
  })

  it('is written row by row: the first bytes leave before the last row is requested', async () => {
    let asked = 0
    const rows = function* () {
      for (; asked < 200_000; asked++) yield ['x', asked] as const
    }
    const columns = [text('a'), { head: 'b', kind: 'count', width: 9 } as const]
    const stream = writeSheet(sheetOf(rows(), columns))
    await new Promise((first) => stream.once('data', first))
    expect(asked).toBeLessThan(150_000)
    stream.destroy()
  })
})

/** The text of one part of a ZIP file, found through the file's directory. */
function partOf(zip: Buffer, name: string): string {
  for (let at = zip.indexOf('PK\x01\x02'); at >= 0; at = zip.indexOf('PK\x01\x02', at + 4)) {
    const length = zip.readUInt16LE(at + 28)
    if (zip.toString('utf8', at + 46, at + 46 + length) !== name) continue
    const start = zip.readUInt32LE(at + 42)
    const from = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28)
    const packed = zip.subarray(from, from + zip.readUInt32LE(at + 20))
    return inflateRawSync(packed).toString('utf8')
  }
  throw new Error(`the file has no ${name}`)
}
const sheetXml = (zip: Buffer) => partOf(zip, 'xl/worksheets/sheet1.xml')
