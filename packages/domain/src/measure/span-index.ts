import type { Day } from '../time/day.ts'
import type { Span } from '../time/period.ts'

const NO_SPANS: readonly number[] = []

/**
 * The spans of every day, and the last days of spans. It is a class rather than an object with its own functions: those would be new functions on
 * every recompute, and V8 would discard what it had compiled for the previous ones.
 */
export class SpanIndex {
  readonly spans: readonly Span[]
  /** First day of any span. */
  readonly low: Day
  /** The distinct last days of the spans, and for each span the position of its own among them. */
  readonly ends: readonly Day[]
  readonly endOf: readonly number[]
  /** Positions of the spans that end on each of the last days. */
  readonly endingAt: readonly (readonly number[])[]
  /** Positions of the spans that contain each day from `low` on. */
  readonly #byDay: readonly (readonly number[])[]

  constructor(spans: readonly Span[]) {
    this.spans = spans
    this.low = Math.min(...spans.map((span) => span.from))
    this.ends = [...new Set(spans.map((span) => span.to))]
    this.endOf = spans.map((span) => this.ends.indexOf(span.to))
    this.endingAt = this.ends.map((_, end) => [...spans.keys()].filter((span) => this.endOf[span] === end))
    this.#byDay = spansByDay(spans, this.low)
  }

  /** Positions of the spans that contain a day. */
  of(day: Day): readonly number[] {
    const at = day - this.low
    // Only positions inside the list: others are far slower to look up, and slow down the rest as well.
    return at >= 0 && at < this.#byDay.length ? (this.#byDay[at] as readonly number[]) : NO_SPANS
  }
}

/** The positions of the spans that contain each day, starting with the first day of any span. */
function spansByDay(spans: readonly Span[], low: Day): number[][] {
  const days = Math.max(...spans.map((span) => span.to)) - low + 1
  const found: number[][] = Array.from({ length: days }, () => [])
  spans.forEach(({ from, to }, position) => {
    for (let day = from; day <= to; day++) found[day - low]?.push(position)
  })
  return found
}
