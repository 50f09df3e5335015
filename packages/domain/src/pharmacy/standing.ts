import type { FigureKey } from '../figure/figure-list.ts'

/** The figures at the top of a pharmacy's page, in order. */
export const HEADLINE_FIGURES = [
  'revenue',
  'scripts',
  'patients',
  'adherent_share',
  'gross_profit',
] as const satisfies readonly FigureKey[]
export type HeadlineFigure = (typeof HEADLINE_FIGURES)[number]

/** A rank among several. */
export interface Standing {
  /** 1 is the largest; equal values share a rank. Null without a value. */
  readonly rank: number | null
  /** How many have a value. */
  readonly ranked: number
}

/** The rank of a value among all, including itself; null values take no part. */
export function standingOf(own: number | null, all: readonly (number | null)[]): Standing {
  const known = all.filter((value) => value !== null)
  return { rank: own === null ? null : 1 + known.filter((value) => value > own).length, ranked: known.length }
}
