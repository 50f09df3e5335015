/**
 * Whose data a call of the support console may touch.
 * `'platform'`: companies, people, locations, uploads, templates, campaigns and counts of all companies, as the role `pillar_staff`, which
 * sees no patient, no script and no text of a message.
 * `{ company }`: all data of that one company, under its row-level security, with a row in that company's log.
 * `{ location }`: the same for one pharmacy of the company that has it; its other pharmacies stay out of sight.
 * `'companies'`: as `'platform'`, and then in one company after another, each in a transaction of its own under its row-level security, with a
 * row in its log: for acts on things of several companies, which succeed or are refused one by one.
 * A call that reads patients' data gives the purpose in `reason`, which the row keeps.
 */
export type Reach<T> = 'platform' | 'companies' | OneCompany<T> | OnePharmacy<T>

interface OneCompany<T> {
  /** The uuid of the company. */
  company(input: T): string
  reason?(input: T): string
}

interface OnePharmacy<T> {
  /** The uuid of the pharmacy. */
  location(input: T): string
  reason?(input: T): string
}

type FlagsIn<N> = N extends readonly (infer F)[] ? F : N

/** A support call has no default reach; other calls have none. */
export type ReachFor<N, T> = 'sr_login' extends FlagsIn<N> ? { reach: Reach<T> } : { reach?: never }
