import type { FigureKey } from '../figure/figure-list.ts'

/** The figures a pharmacy's page begins with, in their order. */
export const HEADLINE_FIGURES = [
  'revenue',
  'scripts',
  'patients',
  'adherent_share',
  'gross_profit',
] as const satisfies readonly FigureKey[]
export type HeadlineFigure = (typeof HEADLINE_FIGURES)[number]

/** Where one stands among several. */
export interface Standing {
  /** 1 for the largest; those that are equal share a rank. Null where it has no value. */
  readonly rank: number | null
  /** How many have a value. */
  readonly ranked: number
}

/** The rank of a value among all of them, its own included; null values take no part. */
export function standingOf(own: number | null, all: readonly (number | null)[]): Standing {
  const known = all.filter((value) => value !== null)
  return { rank: own === null ? null : 1 + known.filter((value) => value > own).length, ranked: known.length }
}
