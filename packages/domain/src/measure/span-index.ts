import type { Day } from '../time/day.ts'
import type { Span } from '../time/period.ts'

const NO_SPANS: readonly number[] = []

/**
 * The spans of every day, and the last days of spans. A class, not an object with functions of its own: those would be other functions
 * with every recompute, and what V8 has compiled for the ones before is then thrown away.
 */
export class SpanIndex {
  readonly spans: readonly Span[]
  /** First day of any span. */
  readonly low: Day
  /** Last days of the spans, each once, and the position of every span's own among them. */
  readonly ends: readonly Day[]
  readonly endOf: readonly number[]
  /** Positions of the spans that end on each of the last days. */
  readonly endingAt: readonly (readonly number[])[]
  /** Positions of the spans that hold each day from `low` on. */
  readonly #byDay: readonly (readonly number[])[]

  constructor(spans: readonly Span[]) {
    this.spans = spans
    this.low = Math.min(...spans.map((span) => span.from))
    this.ends = [...new Set(spans.map((span) => span.to))]
    this.endOf = spans.map((span) => this.ends.indexOf(span.to))
    this.endingAt = this.ends.map((_, end) => [...spans.keys()].filter((span) => this.endOf[span] === end))
    this.#byDay = spansByDay(spans, this.low)
  }

  /** Positions of the spans that hold a day. */
  of(day: Day): readonly number[] {
    const at = day - this.low
    // Only places that the list has: others are far slower to look up, and make the rest slower too.
    return at >= 0 && at < this.#byDay.length ? (this.#byDay[at] as readonly number[]) : NO_SPANS
  }
}

/** The positions of the spans that hold each day, from the first day of any on. */
function spansByDay(spans: readonly Span[], low: Day): number[][] {
  const days = Math.max(...spans.map((span) => span.to)) - low + 1
  const found: number[][] = Array.from({ length: days }, () => [])
  spans.forEach(({ from, to }, position) => {
    for (let day = from; day <= to; day++) found[day - low]?.push(position)
  })
  return found
}
