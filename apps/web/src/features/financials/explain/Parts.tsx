import type { ReplyOf } from '@pillar/contract'
import type { financials } from '@pillar/contract/financials'
import { shareText, sureText } from '@pillar/domain/figure/format'
import { CircleCheck, CircleX } from 'lucide-react'
import { useState } from 'react'
import { PharmacyLink } from '../../../frame/PharmacyLink.tsx'
import { Icon } from '../../../kit/display/Icon.tsx'
import { scrollEdges } from '../../../kit/display/scroll-edges.ts'
import { HeadCell } from '../../../kit/list/DataTableHead.tsx'
import type { Sorting } from '../../../kit/list/useList.ts'
import { changeOf, changeText, unitText } from '../figures.ts'
import { periodSearch } from '../search.ts'
import styles from './Explain.module.css'
import type { Where } from './explain-target.ts'
import { addsUp } from './explain-target.ts'
import { type PartField, sortedParts } from './parts-sort.ts'

type Reply = ReplyOf<typeof financials.explain>
type Line = Reply['pharmacies'][number]
const FIRST_SHOWN = 100

interface PartsProps {
  reply: Reply
  where: Where
}

/** Each pharmacy's part of a number, and of the year before if there is a change, visibly adding up. */
export function Parts({ reply, where: { country, choice, today } }: PartsProps) {
  const { period } = periodSearch(choice, country, today)
  const [all, setAll] = useState(false)
  const [by, setBy] = useState<Sorting | null>(null)
  const lines = sortedParts(reply.pharmacies, by, reply.unit)
  const shown = all ? lines : lines.slice(0, FIRST_SHOWN)
  const right = addsUp(reply)
  if (reply.pharmacies.length === 0) return null
  return (
    <>
      <div ref={scrollEdges} className={styles.wide}>
        <table className={styles.parts}>
          <PartsHead reply={reply} by={by} onSort={setBy} />
          <tbody>
            {shown.map((part) => (
              <tr key={part.pharmacy_id}>
                <th scope="row">
                  <PharmacyLink id={part.pharmacy_id} name={part.pharmacy_name} period={period} />
                  {part.late ? <span className={styles.late}> · late</span> : null}
                  {part.left_out && hasChange(reply) ? <small>Not compared: {lower(part.left_out)}</small> : null}
                </th>
                <Figures reply={reply} part={part} country={country} />
              </tr>
            ))}
          </tbody>
          <PartsFoot reply={reply} country={country} />
        </table>
      </div>
      {shown.length < reply.pharmacies.length ? (
        <button type="button" className={styles.more} onClick={() => setAll(true)}>
          Show all {reply.pharmacies.length.toLocaleString('en-AU')} pharmacies
        </button>
      ) : null}
      <p className={`${styles.check} ${right ? styles.good : styles.bad}`}>
        <Icon of={right ? CircleCheck : CircleX} size={14} />
        {right
          ? 'The parts add up to the number.'
          : 'The parts do not add up to the number: an upload may have come in between. Close this and open it again.'}
      </p>
    </>
  )
}

const hasChange = ({ comparison }: Reply) => comparison?.kind === 'change' && comparison.pharmacies > 0
const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
const unitOf = ({ unit }: Reply) => (unit === 'fraction' || unit === 'rate' ? 'count' : unit)

/** The number columns of one pharmacy. */
function Figures({ reply, part, country }: { reply: Reply; part: Line; country: Where['country'] }) {
  const unit = unitOf(reply)
  const { value, n, low, high } = part
  // A pharmacy without figures in the period has a dash, not 0.
  const numerator = value === null && !reply.denominator ? null : part.numerator
  const sure = reply.share && n !== null ? sureText(country, { value, n, low, high }, reply.share.of) : null
  return (
    <>
      <td className="num">{unitText(country, unit, numerator)}</td>
      {reply.denominator ? (
        <>
          <td className="num">{unitText(country, unit, part.denominator)}</td>
          <td className="num" title={sure ?? undefined}>
            {shareText(country, { value, n })}
          </td>
        </>
      ) : null}
      {hasChange(reply) ? (
        <>
          <td className="num">{unitText(country, reply.unit, part.previous)}</td>
          <td className="num">{changeText(country, reply.unit, changeOf(reply.unit, part.now, part.previous))}</td>
        </>
      ) : null}
    </>
  )
}

interface HeadProps {
  reply: Reply
  by: Sorting | null
  onSort: (by: Sorting) => void
}

function PartsHead({ reply, by, onSort }: HeadProps) {
  const heads: { sort: PartField; label: string }[] = [
    { sort: 'numerator', label: reply.numerator.label },
    ...(reply.denominator
      ? ([
          { sort: 'denominator', label: reply.denominator.label },
          { sort: 'value', label: 'Value' },
        ] as const)
      : []),
    ...(hasChange(reply)
      ? ([
          { sort: 'previous', label: 'A year earlier' },
          { sort: 'change', label: 'Change' },
        ] as const)
      : []),
  ]
  const sorting = reply.pharmacies.length > 1 ? { by, onSort } : undefined
  return (
    <thead>
      <tr>
        <HeadCell column={{ label: 'Pharmacy', sort: 'name' }} sorting={sorting} />
        {heads.map((head) => (
          <HeadCell key={head.sort} column={{ ...head, num: true }} sorting={sorting} />
        ))}
      </tr>
    </thead>
  )
}

/** How counting people known at several pharmacies only once changes the sum of the pharmacies. */
function Once({ reply, country }: { reply: Reply; country: Where['country'] }) {
  const { once, denominator } = reply
  if (once === null) return null
  const unit = unitOf(reply)
  const added = (one: number) => `${one > 0 ? '+' : ''}${unitText(country, unit, one)}`
  return (
    <tr>
      <th scope="row">People of several pharmacies, counted once</th>
      <td className="num">{added(once.numerator)}</td>
      {denominator ? (
        <>
          <td className="num">{added(once.denominator ?? 0)}</td>
          <td />
        </>
      ) : null}
      {hasChange(reply) ? (
        <>
          <td className="num">{denominator ? null : added(once.previous)}</td>
          <td />
        </>
      ) : null}
    </tr>
  )
}

/** The sum of the parts; if some take no part in the change, also the sum of those that do. */
function PartsFoot({ reply, country }: { reply: Reply; country: Where['country'] }) {
  const unit = unitOf(reply)
  const count = reply.pharmacies.length
  const { comparison, share } = reply
  const change = hasChange(reply) && comparison ? comparison : null
  const some = change !== null && change.pharmacies < count
  const compared = change ? (
    <>
      <td className="num">{unitText(country, reply.unit, change.previous)}</td>
      <td className="num">{changeText(country, reply.unit, change.value)}</td>
    </>
  ) : null
  return (
    <tfoot>
      <Once reply={reply} country={country} />
      <tr>
        <th scope="row">{count === 1 ? 'Total' : `All ${count.toLocaleString('en-AU')}`}</th>
        <td className="num">{unitText(country, unit, reply.numerator.value)}</td>
        {reply.denominator ? (
          <>
            <td className="num">{unitText(country, unit, reply.denominator.value)}</td>
            <td className="num">{shareText(country, { value: reply.value, n: share?.n ?? null })}</td>
          </>
        ) : null}
        {some ? <td colSpan={2} /> : compared}
      </tr>
      {some ? (
        <tr>
          <th scope="row">The {change.pharmacies.toLocaleString('en-AU')} compared</th>
          {reply.denominator ? <td colSpan={2} /> : null}
          <td className="num">{unitText(country, reply.unit, change.now)}</td>
          {compared}
        </tr>
      ) : null}
    </tfoot>
  )
}
