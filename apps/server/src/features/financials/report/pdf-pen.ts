import { readFileSync } from 'node:fs'
import PDFDocument from 'pdfkit'

export type Doc = InstanceType<typeof PDFDocument>
export type Weight = 'regular' | 'bold'

export interface Style {
  size: number
  weight?: Weight
  colour?: string
  /** Whether `x` is the left or the right edge of the text. */
  align?: 'left' | 'right'
  /** Wider text is cut, with '…' at its end. */
  width?: number
}

/** The bundled Inter font, in parts by script, for pharmacies with names like 'Łódź Street'. */
const FONTS: Readonly<Record<Weight, readonly URL[]>> = {
  regular: [
    new URL(import.meta.resolve('@fontsource/inter/files/inter-latin-400-normal.woff')),
    new URL(import.meta.resolve('@fontsource/inter/files/inter-latin-ext-400-normal.woff')),
    new URL(import.meta.resolve('@fontsource/inter/files/inter-greek-400-normal.woff')),
    new URL(import.meta.resolve('@fontsource/inter/files/inter-cyrillic-400-normal.woff')),
    new URL(import.meta.resolve('@fontsource/inter/files/inter-vietnamese-400-normal.woff')),
  ],
  bold: [
    new URL(import.meta.resolve('@fontsource/inter/files/inter-latin-600-normal.woff')),
    new URL(import.meta.resolve('@fontsource/inter/files/inter-latin-ext-600-normal.woff')),
    new URL(import.meta.resolve('@fontsource/inter/files/inter-greek-600-normal.woff')),
    new URL(import.meta.resolve('@fontsource/inter/files/inter-cyrillic-600-normal.woff')),
    new URL(import.meta.resolve('@fontsource/inter/files/inter-vietnamese-600-normal.woff')),
  ],
}
/** Replaces a character that no part of the font has. */
const UNKNOWN = '?'
/** More than fits on any line of the page. */
const MOST_LETTERS = 250

/** pdfkit's own font object, which tells whether the part has a character. */
interface Opened {
  font: { hasGlyphForCodePoint: (point: number) => boolean }
}

interface Run {
  font: string
  text: string
}

/** A page whose text stays where it is put: nothing wraps or starts a second page. */
export interface Pen {
  doc: Doc
  /** Writes one line of text with its top at `y`. @returns its width */
  text: (text: string, x: number, y: number, style: Style) => number
  /** The width a line would have. */
  widthOf: (text: string, style: Pick<Style, 'size' | 'weight'>) => number
  /** Writes a text on several lines, broken between words. @returns where the next line would begin */
  lines: (text: string, x: number, y: number, style: Style & { width: number; leading: number }) => number
  /** Whether a character was written as '?' because no part of the font has it. */
  lacks: () => boolean
}

/** In points. The layout is for A4. */
const PAPER = { A4: [595.28, 841.89], LETTER: [612, 792] } as const

/** A page without margins. `title` is what a reader shows as the document's name; on US Letter the drawing is scaled down slightly. */
export function openPage(about: { title: string; author: string; language: string; now: Date }): Pen {
  const size = about.language === 'en-US' ? 'LETTER' : 'A4'
  const doc = new PDFDocument({
    ...{ size, margin: 0, pdfVersion: '1.7', lang: about.language, tagged: true, displayTitle: true },
    info: { Title: about.title, Author: about.author, CreationDate: about.now, ModDate: about.now },
  })
  const [[width, height], [drawn, tall]] = [PAPER[size], PAPER.A4]
  const scale = height / tall
  if (scale !== 1) doc.translate((width - drawn * scale) / 2, 0).scale(scale)
  const nameOf = (weight: Weight, at: number) => `${weight} ${at}`
  for (const weight of ['regular', 'bold'] as const) {
    for (const [at, file] of FONTS[weight].entries()) doc.registerFont(nameOf(weight, at), bytesOf(file))
  }
  const known = new Map<string, string | null>()
  let lacks = false
  /** The font that has a character; null if none has. Fonts after the first are opened only when needed. */
  const fontFor = (weight: Weight, letter: string): string | null => {
    const key = weight + letter
    const found = known.get(key)
    if (found !== undefined) return found
    const names = FONTS[weight].map((_, at) => nameOf(weight, at))
    const has = (name: string) => {
      const opened = (doc.font(name) as unknown as { _font: Opened })._font
      return opened.font.hasGlyphForCodePoint(letter.codePointAt(0)!)
    }
    const name = names.find(has) ?? null
    known.set(key, name)
    return name
  }
  const runsOf = (text: string, weight: Weight): Run[] => {
    const runs: Run[] = []
    for (const letter of text.toWellFormed()) {
      const font = fontFor(weight, letter)
      if (font === null) lacks = true
      const written = { font: font ?? nameOf(weight, 0), text: font === null ? UNKNOWN : letter }
      const last = runs.at(-1)
      if (last?.font === written.font) last.text += written.text
      else runs.push(written)
    }
    return runs
  }
  const widths = new Map<string, number>()
  // Cached for a height of one point, because laying out a text costs far more than remembering its width.
  const widthOf: Pen['widthOf'] = (text, { size, weight = 'regular' }) => {
    const key = `${weight} ${text}`
    let width = widths.get(key)
    if (width === undefined) {
      width = runsOf(text, weight).reduce((sum, run) => sum + doc.font(run.font).fontSize(1).widthOfString(run.text), 0)
      widths.set(key, width)
    }
    return width * size
  }
  const fitted = (text: string, style: Style) => {
    // No line of the page has room for that many, and a list of late pharmacies may be endless.
    const letters = [...text.slice(0, MOST_LETTERS)]
    const whole = letters.join('')
    if (style.width === undefined || (whole === text && widthOf(text, style) <= style.width)) return text
    while (letters.length > 1 && widthOf(`${letters.join('').trimEnd()}…`, style) > style.width) letters.pop()
    return `${letters.join('').trimEnd()}…`
  }
  const write: Pen['text'] = (text, x, y, style) => {
    const { size, weight = 'regular', colour = INK, align = 'left' } = style
    const shown = fitted(text, style)
    const width = widthOf(shown, style)
    let at = align === 'right' ? x - width : x
    const runs = runsOf(shown, weight)
    for (const run of runs) {
      doc.font(run.font).fontSize(size).fillColor(colour).text(run.text, at, y, { lineBreak: false })
      if (runs.length > 1) at += doc.widthOfString(run.text)
    }
    return width
  }
  const lines: Pen['lines'] = (text, x, y, { leading, width, ...style }) => {
    let [line, at] = ['', y]
    for (const word of text.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`
      if (line !== '' && widthOf(longer, style) > width) {
        write(line, x, at, { ...style, width })
        at += leading
        line = word
      } else line = longer
    }
    write(line, x, at, { ...style, width })
    return at + leading
  }
  return { doc, text: write, widthOf, lines, lacks: () => lacks }
}

/** The page's text colour, and its other colours: tokens of the light theme. */
export const INK = '#1F2729'
export const GREY = '#485255'
export const FAINT = '#616B6E'
export const LINE = '#DBE1E3'
export const PETROL = '#01596C'
export const YEAR_BEFORE = '#818B8F'
export const GOOD = '#1B5E36'
export const BAD = '#901E1C'

const files = new Map<string, Buffer>()

function bytesOf(file: URL): Buffer {
  const read = files.get(file.href) ?? readFileSync(file)
  files.set(file.href, read)
  return read
}

/** The finished drawing as the bytes of the file. */
export function bytesOfPage({ doc }: Pen): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    doc.on('data', (part: Buffer) => parts.push(part))
    doc.on('end', () => resolve(Buffer.concat(parts)))
    doc.on('error', reject)
    doc.end()
  })
}
