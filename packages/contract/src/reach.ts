/**
 * Whose data a call of the support console may touch.
 * `'platform'`: companies, people, locations, uploads, templates, campaigns and counts of all companies, as the role `pillar_staff`, which
 * sees no patient, no script and no text of a message.
 * `{ company }`: everything of that one company, under its own row-level security, with a row in that company's own log. A call that reads
 * patients' data says in `reason` why it was made; the row keeps it.
 */
export type Reach<T> = 'platform' | OneCompany<T>

interface OneCompany<T> {
  /** The uuid of the company. */
  company(input: T): string
  reason?(input: T): string
}

type FlagsIn<N> = N extends readonly (infer F)[] ? F : N

/** A call that support may make has no default reach; no other call has one at all. */
export type ReachFor<N, T> = 'sr_login' extends FlagsIn<N> ? { reach: Reach<T> } : { reach?: never }
