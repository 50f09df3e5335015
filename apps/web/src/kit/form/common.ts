import { listOf } from '@pillar/domain/text/sentence'

/** What several records have in common, to edit them together. Fields that differ are blank, and stay unchanged unless filled in. */
export function commonOf<V extends Record<string, unknown>>(
  all: readonly V[],
  blank: V,
): { values: V; differ: string[] } {
  const [first = blank, ...others] = all
  const differ = Object.keys(blank).filter((name) => others.some((one) => !same(one[name], first[name])))
  const values = { ...first, ...Object.fromEntries(differ.map((name) => [name, blank[name]])) }
  return { values, differ }
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** 'Not all selected templates have the same name, type, or body.'; empty text if they do. */
export function differSentence(many: string, fields: readonly string[]): string {
  return fields.length === 0 ? '' : `Not all selected ${many} have the same ${listOf(fields, 'or')}.`
}

/** The reach of Select and Clear in a searched list: 'all 12 that match'. */
export const allThatMatch = (count: number): string =>
  count === 1 ? 'the one that matches' : `all ${count.toLocaleString('en-AU')} that match`
