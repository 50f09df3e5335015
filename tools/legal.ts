import { readFileSync, writeFileSync } from 'node:fs'
import PDFDocument from 'pdfkit'

/**
 * Writes the PDFs that the pages link to from their text in docs/legal; `--check` only reports whether they are up to date. The same text
 * gives the same bytes: the date inside is that of the version. Tagged, so that a screen reader finds headings and lists.
 */
const DOCUMENTS = [
  { source: 'docs/legal/eula.md', target: 'apps/web/public/EULA.pdf' },
  { source: 'docs/legal/privacy.md', target: 'apps/web/public/Privacy_Policy.pdf' },
]

const INK = '#1F2729'
const PETROL = '#01596C'
const GREY = '#485255'
const MARGINS = { top: 64, bottom: 64, left: 72, right: 72 }

/** Title, version line and blocks of a text: '## ' is a heading, '- ' an item of a list, everything else a paragraph. */
function read(source: string) {
  const [first = '', second = '', ...blocks] = readFileSync(source, 'utf8')
    .trim()
    .split(/\n{2,}/)
  const version = /^Version (\d+\.\d+), (\d{1,2} \w+ \d{4})$/.exec(second)
  if (!first.startsWith('# ') || !version) throw new Error(`${source} must begin with a title and a version line.`)
  return { title: first.slice(2), version: second, date: new Date(`${version[2]} UTC`), blocks }
}

type Doc = InstanceType<typeof PDFDocument>

function addHeading(doc: Doc, text: string): void {
  if (doc.y > doc.page.height - MARGINS.bottom - 70) doc.addPage()
  doc.addStructure(
    doc.struct('H2', {}, () => {
      doc.moveDown(0.9).font('Helvetica-Bold').fontSize(12.5).fillColor(PETROL).text(text, MARGINS.left).moveDown(0.35)
    }),
  )
}

function addParagraph(doc: Doc, text: string): void {
  doc.addStructure(
    doc.struct('P', {}, () => {
      body(doc).text(text, MARGINS.left, undefined, { lineGap: 3 }).moveDown(0.5)
    }),
  )
}

function addList(doc: Doc, items: string[]): void {
  const list = doc.struct('L')
  doc.addStructure(list)
  for (const item of items) {
    const entry = doc.struct('LI')
    list.add(entry)
    const y = doc.y
    entry.add(doc.struct('Lbl', {}, () => void body(doc).text('•', MARGINS.left + 4, y)))
    entry.add(
      doc.struct(
        'LBody',
        {},
        () =>
          void body(doc)
            .text(item, MARGINS.left + 18, y, { lineGap: 3 })
            .moveDown(0.3),
      ),
    )
    entry.end()
  }
  list.end()
  doc.moveDown(0.2)
}

const body = (doc: Doc) => doc.font('Helvetica').fontSize(10.5).fillColor(INK)

/** Title and page number under each page; decoration to a screen reader. */
function addFeet(doc: Doc, foot: string): void {
  const { start, count } = doc.bufferedPageRange()
  for (let page = 0; page < count; page++) {
    doc.switchToPage(start + page)
    // Text below the margin would start a new page.
    doc.page.margins.bottom = 0
    doc.markContent('Artifact', { type: 'Pagination' })
    const y = doc.page.height - 44
    doc.font('Helvetica').fontSize(8.5).fillColor(GREY)
    doc.text(foot, MARGINS.left, y, { lineBreak: false })
    const number = `Page ${page + 1} of ${count}`
    doc.text(number, doc.page.width - MARGINS.right - doc.widthOfString(number), y, { lineBreak: false })
    doc.endMarkedContent()
  }
}

function draw(source: string): Promise<Buffer> {
  const { title, version, date, blocks } = read(source)
  const doc = new PDFDocument({
    size: 'A4',
    margins: MARGINS,
    bufferPages: true,
    pdfVersion: '1.7',
    lang: 'en-AU',
    tagged: true,
    displayTitle: true,
    info: { Title: `Pillar: ${title}`, Author: 'Pillar', Subject: version, CreationDate: date, ModDate: date },
  })
  const parts: Buffer[] = []
  const done = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (part: Buffer) => parts.push(part))
    doc.on('end', () => resolve(Buffer.concat(parts)))
    doc.on('error', reject)
  })
  doc.addStructure(
    doc.struct('H1', {}, () => void doc.font('Helvetica-Bold').fontSize(22).fillColor(INK).text(title).moveDown(0.2)),
  )
  doc.addStructure(
    doc.struct('P', {}, () => void doc.font('Helvetica').fontSize(10.5).fillColor(GREY).text(version).moveDown(0.9)),
  )
  for (const block of blocks) {
    const lines = block.split('\n')
    if (block.startsWith('## ')) addHeading(doc, block.slice(3))
    else if (lines.every((line) => line.startsWith('- ')))
      addList(
        doc,
        lines.map((line) => line.slice(2)),
      )
    else addParagraph(doc, lines.join(' '))
  }
  addFeet(doc, `${title} · ${version}`)
  doc.end()
  return done
}

for (const { source, target } of DOCUMENTS) {
  const pdf = await draw(source)
  if (!process.argv.includes('--check')) writeFileSync(target, pdf)
  else if (!readFileSync(target).equals(pdf)) {
    process.stderr.write(`${target} is not what ${source} says. Run "npm run legal" and commit it.\n`)
    process.exitCode = 1
  }
}
