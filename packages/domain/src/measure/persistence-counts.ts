import { type Ends, endsOf } from '../figure/kaplan-meier.ts'
import type { Span } from '../time/period.ts'
import type { Course } from './course.ts'
import { type Start, startsOfCourse } from './persistence.ts'
import type { PharmacyRecord } from './record.ts'

/** The medicines begun at one pharmacy, collected person by person. */
export class Persistence {
  readonly #data: Span
  readonly #starts: (Start & { readonly molecule: number })[] = []

  /** @param data first and last day of the pharmacy's data */
  constructor(data: Span) {
    this.#data = data
  }

  /** Adds the starts of one person. */
  add(courses: readonly Course[], record: PharmacyRecord): void {
    for (const course of courses)
      for (const start of startsOfCourse(course, this.#data.from, this.#data.to))
        this.#starts.push({ ...start, molecule: record.pairMolecule[course.pair] as number })
  }

  /**
   * How the starts of a span ended, by group.
   * @param groupOf the group of a molecule; 0 holds all
   */
  in({ from, to }: Span, groupOf: (molecule: number) => number): Map<number, Ends[]> {
    const starts = this.#starts.filter(({ on }) => on >= from && on <= to)
    const groups = Map.groupBy(starts, ({ molecule }) => groupOf(molecule))
    groups.set(0, starts)
    return new Map([...groups].filter(([, own]) => own.length > 0).map(([group, own]) => [group, endsOf(own)]))
  }
}
