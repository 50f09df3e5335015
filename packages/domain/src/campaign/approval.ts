import type { CohortFilters } from '../cohort/cohort.ts'
import { counted, listOf } from '../text/sentence.ts'
import { type Country, formatMoney, formatNumber } from '../time/locale.ts'

/** State of an approval. waiting and approved are open; used: a run was activated with it; held: that run would have gone past its ceiling. */
export const APPROVAL_STATES = ['waiting', 'approved', 'declined', 'voided', 'used', 'held'] as const
export type ApprovalState = (typeof APPROVAL_STATES)[number]

/** The written part of what a second person agrees to: the campaign, its texts and the rule of its audience. */
export interface ApprovalContent {
  readonly campaign: {
    readonly id: string
    readonly name: string
    readonly note: string | null
    readonly goal_type: string
    readonly measure_by: string
    readonly goal: number
    /** ISO days; null for none. */
    readonly start: string | null
    readonly end: string | null
  }
  readonly texts: readonly ApprovalText[]
  readonly audience: ApprovalAudience
}

/** A template as sent; its channel is part of it. */
export interface ApprovalText {
  readonly id: string
  readonly name: string
  readonly sms: boolean
  readonly email: boolean
  readonly kind: string
  readonly subject: string | null
  readonly body: string
}

export interface ApprovalAudience {
  readonly filters: CohortFilters
  /** Pharmacy ids. */
  readonly pharmacies: readonly string[]
  /** Percent held out at random; null where the campaign holds nobody out, whatever the company's holdout. */
  readonly holdout: number | null
}

/** At most this many people and this many cents. */
export interface Ceiling {
  readonly people: number
  readonly cents: number
}

/** Values as JSON with the keys of every object sorted, so that equal content gives equal text. */
function ordered(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(ordered).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value).filter(([, one]) => one !== undefined)
  fields.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, one]) => `${JSON.stringify(name)}:${ordered(one)}`).join(',')}}`
}

/** A list whose order and repeats do not matter. */
const asSet = <T>(list: readonly T[]): T[] =>
  [...new Map(list.map((one) => [ordered(one), one]))].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)

/** Filters that are set. An empty list and a missing one are the same. */
function setFilters(filters: CohortFilters): Record<string, unknown> {
  const lists = Object.entries(filters).map(([name, value]) => [name, Array.isArray(value) ? asSet(value) : value])
  return Object.fromEntries(lists.filter(([, value]) => value != null && !(Array.isArray(value) && value.length === 0)))
}

const plainAudience = ({ filters, pharmacies, holdout }: ApprovalAudience) => ({
  filters: setFilters(filters),
  pharmacies: asSet(pharmacies),
  holdout,
})

/** The canonical form of what is sent to whom: texts and audience rule. It stays the same from approval to the last message. */
export const canonicalSending = ({ texts, audience }: Pick<ApprovalContent, 'texts' | 'audience'>): string =>
  ordered({ texts: asSet(texts), audience: plainAudience(audience) })

/**
 * The canonical form of an approval, for hashing with SHA-256: field names sorted, unordered lists sorted without repeats, texts letter by
 * letter as they are. The number in front changes with the form.
 */
export const canonicalApproval = ({ campaign, texts, audience }: ApprovalContent, ceiling: Ceiling): string =>
  ordered({ form: 1, campaign, texts: asSet(texts), audience: plainAudience(audience), ceiling })

const differs = (a: unknown, b: unknown) => ordered(a) !== ordered(b)

/** What has changed since the approval, in words such as 'the text of “Repeat ready”'; empty if nothing has. */
export function approvalChanges(before: ApprovalContent, after: ApprovalContent): string[] {
  const changes: string[] = []
  const [was, is] = [before.campaign, after.campaign]
  const say = (changed: boolean, words: string) => changed && changes.push(words)
  say(was.name !== is.name, 'the name')
  say(was.note !== is.note, 'the note')
  say(differs([was.goal_type, was.measure_by, was.goal], [is.goal_type, is.measure_by, is.goal]), 'the goal')
  say(differs([was.start, was.end], [is.start, is.end]), 'the dates')
  changes.push(...textChanges(before.texts, after.texts))
  const [had, has] = [plainAudience(before.audience), plainAudience(after.audience)]
  say(differs(had.filters, has.filters), 'who is selected')
  say(differs(had.pharmacies, has.pharmacies), 'the pharmacies')
  say(had.holdout !== has.holdout, 'the holdout')
  return changes
}

function textChanges(before: readonly ApprovalText[], after: readonly ApprovalText[]): string[] {
  const now = new Map(after.map((text) => [text.id, text]))
  const then = new Set(before.map(({ id }) => id))
  const kept = before.flatMap((text) => {
    const found = now.get(text.id)
    if (!found) return [`the template “${text.name}”, which was removed`]
    return differs(text, found) ? [`the text of “${found.name}”`] : []
  })
  const added = after.filter(({ id }) => !then.has(id)).map(({ name }) => `the template “${name}”, which was added`)
  return [...kept, ...added]
}

/** A tenth more than would go out now, rounded up to whole people and dollars, so that an ordinary day's growth fits. */
export const proposedCeiling = ({ people, cents }: Ceiling): Ceiling => ({
  people: Math.ceil((people * 11) / 10),
  cents: Math.ceil((cents * 11) / 1000) * 100,
})

/** 'up to 1,200 people and $148.00' */
export const ceilingWords = ({ people, cents }: Ceiling, country: Country): string =>
  `up to ${formatNumber(country, people)} ${people === 1 ? 'person' : 'people'} and ${formatMoney(country, cents / 100, 2)}`

/** '$148.00 for 1,200 people' */
export const costWords = ({ people, cents }: Ceiling, country: Country): string =>
  `${formatMoney(country, cents / 100, 2)} for ${formatNumber(country, people)} ${people === 1 ? 'person' : 'people'}`

/** Why a run would go past its ceiling, as a sentence; empty if it would not. Exactly the ceiling is allowed. */
export function ceilingProblem(ceiling: Ceiling, would: Ceiling, country: Country): string {
  const past = [
    would.people > ceiling.people &&
      `${formatNumber(country, would.people)} ${would.people === 1 ? 'person' : 'people'} would be messaged`,
    would.cents > ceiling.cents && `it would cost ${formatMoney(country, would.cents / 100, 2)}`,
  ].filter((one) => one !== false)
  if (past.length === 0) return ''
  return `The approval is for ${ceilingWords(ceiling, country)}, but ${listOf(past)}.`
}

/** People who had a hand in a campaign, with all logins of each. They cannot approve it. */
export interface Authors {
  readonly written_by: readonly number[]
  /** Everybody who has changed it, not only the last: each may have set a part of it. */
  readonly changed_by: readonly number[]
  /** Everybody who wrote or changed one of its texts since a second person last approved that text. */
  readonly text_editors: readonly number[]
  /** The person who asked for the approval. */
  readonly asked_by: readonly number[]
}

/** Why a login of the company that may send campaigns cannot approve one, as a sentence; empty when it can. */
export function approverProblem(loginId: number, { written_by, changed_by, text_editors, asked_by }: Authors): string {
  const own = written_by.includes(loginId)
    ? 'wrote this campaign'
    : changed_by.includes(loginId)
      ? 'changed this campaign'
      : text_editors.includes(loginId)
        ? 'wrote or changed one of its texts'
        : asked_by.includes(loginId)
          ? 'asked for this approval'
          : null
  return own === null ? '' : `You ${own}, so somebody else has to approve it.`
}

/** Who may approve, as a sentence. At most three are named. */
export function approversWords(names: readonly string[]): string {
  if (names.length === 0)
    return 'Nobody else can approve it: everyone else at your company either cannot send campaigns or has worked on this one or its texts. Have one person write it again, or ask support to add somebody.'
  const more = names.length - 3
  const named = more > 0 ? [...names.slice(0, 3), counted(more, 'other', 'others')] : names
  return `${listOf(named, 'or')} can approve it.`
}

/** Why a campaign is not sent without an approval, and what to do, as sentences. */
export function unapprovedWords(
  state: ApprovalState | 'none' | 'changed',
  changes: readonly string[],
  approvers: readonly string[],
): string {
  const who = approversWords(approvers)
  if (state === 'waiting') return `This campaign waits for approval by a second person. ${who}`
  if (state === 'declined')
    return `Approval of this campaign was declined. Change it and ask for approval again. ${who}`
  if (state !== 'changed')
    return `This campaign needs approval by a second person before it is sent. Save it and ask for approval. ${who}`
  const what = changes.length > 0 ? ` (${listOf(changes)})` : ''
  return `This campaign was changed since approval was asked for${what}, so it needs approval again. ${who}`
}
