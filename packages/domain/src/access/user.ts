import { counted, listOf, type Problem, problemSentence } from '../text/sentence.ts'

/** Days an invitation's link works. */
export const INVITE_DAYS = 7
/** The longest username and email address. */
export const LOGIN_NAME_LIMIT = 254
/** The longest first, middle, last or preferred name. */
export const PERSON_NAME_LIMIT = 100
const OLDEST_BIRTH = '1900-01-01'

const blank = (text: string) => text.trim() === ''

/** One @ with text on both sides and a dot after it: catches typing slips and nothing stricter. */
const looksLikeEmail = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim())

export interface LoginDraft {
  readonly username: string
  readonly email: string
  readonly first_name: string
  readonly last_name: string
}

/** What a login is missing, field by field. */
export function loginProblems(draft: LoginDraft): Problem<keyof LoginDraft>[] {
  const found: Problem<keyof LoginDraft>[] = []
  const wrong = (field: keyof LoginDraft, words: string) => found.push({ field, words })
  if (blank(draft.username)) wrong('username', 'enter a username')
  else if (draft.username.includes('@') && draft.username.trim().toLowerCase() !== draft.email.trim().toLowerCase())
    wrong('username', 'enter a username without @, or the email address itself')
  if (blank(draft.email)) wrong('email', 'enter an email address')
  else if (!looksLikeEmail(draft.email)) wrong('email', 'enter a valid email address')
  if (blank(draft.first_name)) wrong('first_name', 'enter a first name')
  if (blank(draft.last_name)) wrong('last_name', 'enter a last name')
  return found
}

export interface UserDraft extends LoginDraft {
  /** ISO day; empty when not given. */
  readonly dob: string
  readonly clinical_trials_login: boolean
  readonly recruiter_id: string
}

/** What a change of a user is missing, field by field. @param today ISO day */
export function userProblems(draft: UserDraft, today: string): Problem<keyof UserDraft>[] {
  const found: Problem<keyof UserDraft>[] = [...loginProblems(draft)]
  if (draft.dob !== '' && !(draft.dob >= OLDEST_BIRTH && draft.dob < today))
    found.push({ field: 'dob', words: 'enter a date of birth in the past' })
  if (draft.clinical_trials_login && blank(draft.recruiter_id))
    found.push({ field: 'recruiter_id', words: 'select a recruiter or provider' })
  return found
}

/** The same as one sentence; empty when nothing is missing. */
export function userProblem(draft: UserDraft, today: string): string {
  return problemSentence(userProblems(draft, today))
}

export interface NewUserDraft extends LoginDraft {
  readonly company_id: string
}

/** What a new user is missing, field by field. Password strength is checked separately. */
export function newUserProblems(draft: NewUserDraft): Problem<keyof NewUserDraft>[] {
  const found: Problem<keyof NewUserDraft>[] = blank(draft.company_id)
    ? [{ field: 'company_id', words: 'select a company' }]
    : []
  return [...found, ...loginProblems(draft)]
}

/** The same as one sentence; empty when nothing is missing. */
export function newUserProblem(draft: NewUserDraft): string {
  return problemSentence(newUserProblems(draft))
}

/** The states of a user: able to sign in, waiting for a first password, or shut out. */
export const USER_STATES = ['active', 'invited', 'invitation expired', 'not invited', 'disabled', 'removed'] as const
export type UserState = (typeof USER_STATES)[number]

export interface UserStanding {
  readonly removed_at: Date | null
  readonly disabled_at: Date | null
  /** Nobody knows a password yet. */
  readonly password_pending: boolean
  readonly invited_at: Date | null
}

/** The state of a user; being shut out takes precedence over waiting. */
export function userState(user: UserStanding, now: Date): UserState {
  if (user.removed_at) return 'removed'
  if (user.disabled_at) return 'disabled'
  if (!user.password_pending) return 'active'
  if (!user.invited_at) return 'not invited'
  return now.getTime() - user.invited_at.getTime() < INVITE_DAYS * 86_400_000 ? 'invited' : 'invitation expired'
}

/** What prevents shutting out or removing a user. */
export interface UserTies {
  /** Whether the user is the person asking. */
  readonly self: boolean
  /** Whether no other support login could sign in without this one. */
  readonly lastSupport: boolean
}

/** Why the person asking cannot disable or remove a user, as one sentence; empty when they can. */
export function shutOutProblem(name: string, act: 'disabled' | 'removed', ties: UserTies): string {
  if (ties.self)
    return `You cannot ${act === 'disabled' ? 'disable' : 'remove'} yourself. Another support login can do it.`
  if (ties.lastSupport) return `${name} is the last support login and cannot be ${act}. Please add another one first.`
  return ''
}

/** What a user still has that blocks their removal. */
export interface UserOwns {
  /** Pharmacies they own, by name. */
  readonly pharmacies: readonly string[]
  /** The company's pharmacies and campaigns, if nobody else in the company can sign in. */
  readonly alone: { readonly company: string; readonly pharmacies: number; readonly activeCampaigns: number } | null
}

const NAMED = 3

/** Why a user cannot be removed yet and what to do; empty when they can be removed. */
export function userRemovalProblem(name: string, { pharmacies, alone }: UserOwns): string {
  const sentences: string[] = []
  if (pharmacies.length > 0) {
    const more = pharmacies.length - NAMED
    const named = [...pharmacies.slice(0, NAMED), ...(more > 0 ? [`${more} more`] : [])]
    sentences.push(`${name} owns ${listOf(named)}. Please choose another owner first.`)
  }
  if (alone && alone.pharmacies + alone.activeCampaigns > 0) {
    const left: string[] = []
    if (alone.pharmacies > 0) left.push(counted(alone.pharmacies, 'pharmacy', 'pharmacies'))
    if (alone.activeCampaigns > 0) left.push(counted(alone.activeCampaigns, 'active campaign', 'active campaigns'))
    sentences.push(
      `${name} is the only user of ${alone.company}, which still has ${listOf(left)}. Please add another user first.`,
    )
  }
  return sentences.join(' ')
}

/** A link between a user and a pharmacy that could not be made. */
export interface FailedLink {
  readonly user: string
  readonly location: string
  /** A sentence. */
  readonly reason: string
}

const MOST_FAILED_NAMED = 10

/** The result when some links failed: how many of how many, each with its reason, and that the others are kept. */
export function failedLinksSentence(asked: number, failed: readonly FailedLink[]): string {
  const kept = asked - failed.length
  const rest = kept === 0 ? '' : kept === 1 ? ' The other 1 is linked.' : ` The other ${kept} are linked.`
  const named = failed.slice(0, MOST_FAILED_NAMED).map((one) => `${one.user}, ${one.location}: ${one.reason}`)
  const more = failed.length - named.length
  const others = more > 0 ? [`And ${more} more.`] : []
  return [
    `Could not link ${failed.length} of ${counted(asked, 'location', 'locations')}.${rest}`,
    ...named,
    ...others,
  ].join('\n')
}
