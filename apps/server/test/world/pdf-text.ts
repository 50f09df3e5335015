import { inflateSync } from 'node:zlib'

/** The text of a PDF made by pdfkit with bundled fonts, run by run in drawing order, and its number of pages. */
export function readPdf(bytes: Buffer): { pages: number; runs: string[]; text: string; fonts: string[] } {
  const objects = objectsOf(bytes)
  const bodies = [...objects.values()]
  const letters = fontLetters(objects)
  const page = bodies.find(({ head }) => /\/Type \/Page\b(?!s)/.test(head))!
  const resources = referred(objects, page.head, 'Resources') ?? page.head
  const fonts = new Map(
    [...(referred(objects, resources, 'Font') ?? resources).matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, id]) => [
      name!,
      Number(id),
    ]),
  )
  const contents = objects.get(Number(/\/Contents (\d+) 0 R/.exec(page.head)![1]))!.stream
  const runs: string[] = []
  let font = new Map<number, string>()
  for (const [, name, shown] of contents.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (name) font = letters.get(fonts.get(name)!) ?? new Map()
    else
      runs.push(
        [...shown!.matchAll(/<([0-9a-f]+)>/gi)]
          .flatMap(([, hex]) => hex!.match(/.{4}/g) ?? [])
          .map((code) => font.get(Number.parseInt(code, 16)) ?? '\ufffd')
          .join(''),
      )
  }
  return {
    pages: bodies.filter(({ head }) => /\/Type \/Page\b(?!s)/.test(head)).length,
    runs,
    text: runs.join('\n'),
    fonts: bodies.flatMap(({ head }) => /\/BaseFont \/([^\s/>]+)/.exec(head)?.[1] ?? []),
  }
}

interface Part {
  head: string
  /** The bytes between `stream` and `endstream`, decompressed; empty if there are none. */
  stream: string
}

function objectsOf(bytes: Buffer): Map<number, Part> {
  const text = bytes.toString('latin1')
  const found = new Map<number, Part>()
  for (const match of text.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [head = '', packed] = match[2]!.split(/\nstream\n/)
    const raw = packed === undefined ? Buffer.alloc(0) : Buffer.from(packed.replace(/\nendstream$/, ''), 'latin1')
    const stream = head.includes('/FlateDecode') ? inflateSync(raw) : raw
    found.set(Number(match[1]), { head, stream: stream.toString('latin1') })
  }
  return found
}

/** The object that a key of another one refers to. */
function referred(objects: Map<number, Part>, head: string, key: string): string | undefined {
  const id = new RegExp(`/${key} (\\d+) 0 R`).exec(head)?.[1]
  return id === undefined ? undefined : objects.get(Number(id))?.head
}

/** By font id, the letters of its glyphs, from its ToUnicode map. */
function fontLetters(objects: Map<number, Part>): Map<number, Map<number, string>> {
  const fonts = new Map<number, Map<number, string>>()
  for (const [id, { head }] of objects) {
    const map = /\/ToUnicode (\d+) 0 R/.exec(head)?.[1]
    if (map === undefined) continue
    const letters = new Map<number, string>()
    for (const [, first, , list] of objects
      .get(Number(map))!
      .stream.matchAll(/<([0-9a-f]+)> <([0-9a-f]+)> \[([^\]]*)\]/gi)) {
      const start = Number.parseInt(first!, 16)
      for (const [at, [, hex]] of [...list!.matchAll(/<([0-9a-f ]+)>/gi)].entries()) {
        const units = hex!.replaceAll(' ', '').match(/.{4}/g) ?? []
        letters.set(start + at, String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16))))
      }
    }
    fonts.set(id, letters)
  }
  return fonts
}
