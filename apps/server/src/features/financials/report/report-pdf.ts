import type { Tone } from '@pillar/domain/figure/format'
import { BAD, bytesOfPage, FAINT, GOOD, GREY, INK, LINE, openPage, PETROL, type Pen, YEAR_BEFORE } from './pdf-pen.ts'
import type { RankLine, ReportContent, TrendLine } from './report-content.ts'

const LEFT = 48
const RIGHT = 595.28 - 48
const WIDTH = RIGHT - LEFT
/** Where each part of the page begins, from the top. */
const TOP = { head: 44, headlines: 138, trends: 292, ranked: 428, targets: 586, counted: 716, foot: 806 }
const COLUMNS = 4
const GAP = 14

const LACKS = 'A ? in a name stands for a letter that this page cannot show.'

const TONES: Readonly<Record<Tone, string>> = { good: GOOD, bad: BAD, plain: GREY }

export interface Foot {
  product: string
  /** 'Made 23 Nov 2026 by Robin Vale'. */
  made: string
  language: string
  now: Date
}

/** The report on one page. Tagged, so that a screen reader finds its headings and reads what the lines show. */
export async function reportPdf(content: ReportContent, foot: Foot): Promise<Buffer> {
  const title = `${content.subject}: ${content.period}`
  const pen = openPage({ title, author: foot.product, language: foot.language, now: foot.now })
  drawHead(pen, content)
  drawHeadlines(pen, content)
  drawTrends(pen, content)
  drawRanked(pen, content)
  drawTargets(pen, content)
  drawCounted(pen, content)
  tagged(pen, 'P', () => {
    const product = pen.text(foot.product, LEFT, TOP.foot, { size: 8, weight: 'bold', colour: FAINT })
    pen.text(foot.made, RIGHT, TOP.foot, { size: 8, colour: FAINT, align: 'right' })
    if (pen.lacks()) pen.text(LACKS, LEFT + product + GAP, TOP.foot, { size: 8, colour: FAINT })
  })
  return bytesOfPage(pen)
}

/** Draws under a tag of the document's structure. */
function tagged({ doc }: Pen, tag: 'H1' | 'H2' | 'P', draw: () => void): void {
  doc.addStructure(doc.struct(tag, {}, draw))
}

function rule({ doc }: Pen, y: number): void {
  doc.markContent('Artifact', { type: 'Layout' })
  doc.moveTo(LEFT, y).lineTo(RIGHT, y).lineWidth(0.75).strokeColor(LINE).stroke()
  doc.endMarkedContent()
}

function heading(pen: Pen, text: string, y: number, x = LEFT, width = WIDTH): void {
  tagged(pen, 'H2', () => void pen.text(text, x, y, { size: 10.5, weight: 'bold', colour: PETROL, width }))
}

function drawHead(pen: Pen, { subject, above, period, dates, age }: ReportContent): void {
  const y = TOP.head
  if (above !== null) tagged(pen, 'P', () => void pen.text(above, LEFT, y, { size: 9.5, colour: GREY, width: WIDTH }))
  tagged(pen, 'H1', () => void pen.text(subject, LEFT, y + 14, { size: 20, weight: 'bold', width: WIDTH }))
  tagged(pen, 'P', () => {
    const name = pen.text(period, LEFT, y + 43, { size: 11, weight: 'bold' })
    pen.text(dates, LEFT + name + 8, y + 43, { size: 11, colour: GREY })
  })
  tagged(pen, 'P', () => void pen.text(age, LEFT, y + 62, { size: 9, colour: GREY, width: WIDTH }))
  rule(pen, y + 82)
}

function drawHeadlines(pen: Pen, { headlines }: ReportContent): void {
  const width = (WIDTH - GAP * (COLUMNS - 1)) / COLUMNS
  for (const [at, { label, value, beside, tone }] of headlines.entries()) {
    const x = LEFT + (at % COLUMNS) * (width + GAP)
    const y = TOP.headlines + Math.floor(at / COLUMNS) * 74
    tagged(pen, 'P', () => {
      pen.text(label, x, y, { size: 9, colour: GREY, width })
      pen.text(value, x, y + 13, { size: 17, weight: 'bold', width })
      pen.lines(beside, x, y + 37, { size: 8, colour: TONES[tone], width, leading: 10 })
    })
  }
  rule(pen, TOP.trends - 12)
}

function drawTrends(pen: Pen, { trends }: ReportContent): void {
  const width = (WIDTH - GAP * 2 * (trends.length - 1)) / trends.length
  for (const [at, trend] of trends.entries()) {
    const x = LEFT + at * (width + GAP * 2)
    heading(pen, trend.title, TOP.trends, x, width)
    tagged(pen, 'P', () => void pen.text(trend.newest, x, TOP.trends + 15, { size: 8, colour: GREY, width }))
    drawLine(pen, trend, { x, y: TOP.trends + 32, width, height: 62 })
    tagged(pen, 'P', () => {
      pen.text(trend.from, x, TOP.trends + 100, { size: 7.5, colour: FAINT })
      pen.text(trend.to, x + width, TOP.trends + 100, { size: 7.5, colour: FAINT, align: 'right' })
    })
  }
  tagged(pen, 'P', () => {
    const y = TOP.trends + 112
    const compared = trends.some(({ prior }) => prior.some((value) => value !== null))
    const words = compared ? 'By month; the same months a year earlier in grey.' : 'By month.'
    pen.text(words, LEFT, y, { size: 7.5, colour: FAINT })
  })
  rule(pen, TOP.ranked - 10)
}

interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Draws a figure's line above a zero line, with the year before in grey behind it and a dot at its end. */
function drawLine({ doc }: Pen, { title, from, to, values, prior }: TrendLine, { x, y, width, height }: Box): void {
  const known = [...values, ...prior].filter((value) => value !== null)
  const most = Math.max(...known, 0)
  const alt = `${title} by month, ${from} to ${to}, over the same months a year earlier`
  doc.addStructure(
    doc.struct('Figure', { alt }, () => {
      doc
        .moveTo(x, y + height)
        .lineTo(x + width, y + height)
        .lineWidth(0.5)
        .strokeColor(LINE)
        .stroke()
      if (most <= 0) return
      const place = (value: number, at: number): [number, number] => {
        const share = values.length < 2 ? 0.5 : at / (values.length - 1)
        return [x + 2 + share * (width - 4), y + height - (value / most) * (height - 3)]
      }
      const draw = (line: readonly (number | null)[], colour: string, thick: number) => {
        let open = false
        for (const [at, value] of line.entries()) {
          if (value === null) open = false
          else if (open) doc.lineTo(...place(value, at))
          else doc.moveTo(...place(value, at))
          if (value !== null) open = true
        }
        doc.lineWidth(thick).strokeColor(colour).stroke()
      }
      if (prior.some((value) => value !== null)) draw(prior, YEAR_BEFORE, 0.9)
      draw(values, PETROL, 1.6)
      const end = values.at(-1)
      if (end != null)
        doc
          .circle(...place(end, values.length - 1), 2.2)
          .fillColor(PETROL)
          .fill()
    }),
  )
}

function drawRanked(pen: Pen, { ranked }: ReportContent): void {
  heading(pen, ranked.title, TOP.ranked)
  const width = (WIDTH - GAP * 2) / 2
  if (ranked.best.length === 0) {
    const none = 'Nothing to rank: each needs at least 30 measured.'
    tagged(pen, 'P', () => void pen.text(none, LEFT, TOP.ranked + 20, { size: 9, colour: GREY }))
  } else {
    drawRanks(pen, 'Best', ranked.best, LEFT, width)
    drawRanks(pen, 'Worst', ranked.worst, LEFT + width + GAP * 2, width)
  }
  rule(pen, TOP.targets - 10)
}

function drawRanks(pen: Pen, title: string, lines: readonly RankLine[], x: number, width: number): void {
  let y = TOP.ranked + 20
  const small = { size: 8, colour: FAINT, align: 'right' } as const
  const ends = { share: x + width - 106, measured: x + width - 58, revenue: x + width }
  tagged(pen, 'P', () => {
    pen.text(title, x, y, { size: 9, weight: 'bold' })
    pen.text('Adherent', ends.share, y + 0.5, small)
    pen.text('Measured', ends.measured, y + 0.5, small)
    pen.text('Revenue', ends.revenue, y + 0.5, small)
  })
  for (const { name, share, measured, revenue } of lines) {
    y += 18
    const figure = { size: 9, align: 'right' } as const
    tagged(pen, 'P', () => {
      drawName(pen, name, x, y, width - 150)
      pen.text(share, ends.share, y, figure)
      pen.text(measured, ends.measured, y, { ...figure, colour: GREY })
      pen.text(revenue, ends.revenue, y, { ...figure, colour: GREY })
    })
  }
}

/** Writes a name on one line, or on two smaller ones if it is too long. */
function drawName(pen: Pen, name: string, x: number, y: number, width: number): void {
  if (pen.widthOf(name, { size: 9 }) <= width) pen.text(name, x, y, { size: 9, width })
  else pen.lines(name, x, y - 3, { size: 7.5, width, leading: 8.5 })
}

function drawTargets(pen: Pen, { targets }: ReportContent): void {
  heading(pen, 'Targets', TOP.targets)
  if (targets.length === 0) {
    const none = 'No targets are set for this period.'
    tagged(pen, 'P', () => void pen.text(none, LEFT, TOP.targets + 18, { size: 9, colour: GREY }))
  }
  for (const [at, { title, target, actual, words, tone }] of targets.entries()) {
    const y = TOP.targets + 18 + at * 17
    tagged(pen, 'P', () => {
      pen.text(title, LEFT, y, { size: 9, width: 110 })
      pen.text(actual, LEFT + 186, y, { size: 9, weight: 'bold', align: 'right' })
      pen.text(`of ${target}`, LEFT + 192, y, { size: 9, colour: GREY, width: 90 })
      pen.text(words, LEFT + 286, y, { size: 9, colour: tone === 'plain' ? INK : TONES[tone], width: WIDTH - 286 })
    })
  }
  rule(pen, TOP.counted - 10)
}

function drawCounted(pen: Pen, { counted }: ReportContent): void {
  heading(pen, 'How this is counted', TOP.counted)
  let y = TOP.counted + 15
  for (const text of counted) {
    tagged(pen, 'P', () => {
      y = pen.lines(text, LEFT, y, { size: 7.5, colour: GREY, width: WIDTH, leading: 9.5 })
    })
  }
}
