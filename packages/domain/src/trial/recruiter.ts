import { type Problem, problemSentence } from '../text/sentence.ts'
import { WEB_ADDRESS_LIMIT, webAddress } from '../text/web-address.ts'

/** A recruiter looks for patients for a trial; a provider runs it. */
export const RECRUITER_TYPES = { recruiter: 'Recruiter', provider: 'Provider' } as const
export type RecruiterType = keyof typeof RECRUITER_TYPES
export const RECRUITER_TYPE_VALUES = Object.keys(RECRUITER_TYPES) as [RecruiterType, ...RecruiterType[]]

export const RECRUITER_NAME_LIMIT = 200
/** The most characters of a text in several paragraphs that patients or staff read. */
export const TRIAL_TEXT_LIMIT = 5000

export interface RecruiterDraft {
  readonly name: string
  /** The patients its trials look for, in general. */
  readonly description: string
  readonly recruiter_or_provider: RecruiterType | '' | null
  readonly logo_url: string
  readonly phone: string
  readonly email: string
  readonly website: string
  readonly privacy_policy_url: string
}

type Field = keyof RecruiterDraft

/** In the order of the form, with the words of the specification. */
const REQUIRED: readonly Problem<Field>[] = [
  { field: 'name', words: 'enter a recruiter/provider name' },
  { field: 'description', words: 'enter eligibility criteria' },
  { field: 'recruiter_or_provider', words: 'select recruiter or provider' },
  { field: 'logo_url', words: 'enter a logo URL' },
  { field: 'phone', words: 'enter a phone number' },
  { field: 'email', words: 'enter an email' },
  { field: 'website', words: 'enter a website' },
  { field: 'privacy_policy_url', words: 'enter a privacy policy' },
]

/** The required form of a value that was entered. */
const FORM: Partial<Record<Field, { fits: (text: string) => boolean; words: string }>> = {
  logo_url: { fits: isWebAddress, words: 'enter a logo URL that starts with https://' },
  phone: {
    fits: (text) => /^[+()\d][-\d\s()]{5,}$/.test(text.trim()),
    words: 'enter a phone number of digits and spaces',
  },
  email: { fits: (text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim()), words: 'enter a valid email' },
  website: { fits: isWebAddress, words: 'enter a website that starts with https://' },
  privacy_policy_url: { fits: isWebAddress, words: 'enter a privacy policy that starts with https://' },
}

function isWebAddress(text: string): boolean {
  return webAddress(text) !== null
}

/** What is missing or wrong before a recruiter or provider can be saved, field by field. */
export function recruiterProblems(draft: RecruiterDraft): Problem<Field>[] {
  return REQUIRED.flatMap((required) => {
    const { field } = required
    const text = draft[field] ?? ''
    if (text.trim() === '') return [required]
    const form = FORM[field]
    if (form && text.trim().length > WEB_ADDRESS_LIMIT)
      return [{ field, words: `${required.words} of at most ${WEB_ADDRESS_LIMIT} characters` }]
    return form && !form.fits(text) ? [{ field, words: form.words }] : []
  })
}

/** The same as one sentence; empty when nothing is missing. */
export function recruiterProblem(draft: RecruiterDraft): string {
  return problemSentence(recruiterProblems(draft))
}
