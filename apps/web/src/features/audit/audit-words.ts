import type { contract, ReplyOf } from '@pillar/contract'
import { type Country, formatNumber } from '@pillar/domain/time/locale'

type Last = NonNullable<ReplyOf<typeof contract.audit.status>['last']>

/** '22 entries in 1 chain are whole and match 3 anchors outside the database.' */
export function wholeWords(
  { rows, chains, anchors }: Pick<Last, 'rows' | 'chains' | 'anchors'>,
  country: Country,
): string {
  const many = (count: number, one: string, more: string) =>
    `${formatNumber(country, count)} ${count === 1 ? one : more}`
  const [are, match] = rows === 1 ? ['is', 'matches'] : ['are', 'match']
  const whole = `${many(rows, 'entry', 'entries')} in ${many(chains, 'chain', 'chains')} ${are} whole`
  if (anchors === 0) return `${whole}. No anchor outside the database yet.`
  return `${whole} and ${match} ${many(anchors, 'anchor', 'anchors')} outside the database.`
}
