import { type Problem, problemSentence } from '../text/sentence.ts'
import { itemsOf, paragraphsOf } from './page-text.ts'

/** What a patient reads before answering an invitation. */
export interface TrialConsentText {
  readonly form_title: string
  readonly intro: string
  readonly purpose_heading: string
  readonly purpose: string
  readonly criteria_heading: string
  readonly criteria: string
}
export const TRIAL_CONSENT_FIELDS = [
  { field: 'form_title', words: 'enter a form title' },
  { field: 'intro', words: 'enter an intro' },
  { field: 'purpose_heading', words: 'enter a purpose heading' },
  { field: 'purpose', words: 'enter a purpose' },
  { field: 'criteria_heading', words: 'enter a criteria heading' },
  { field: 'criteria', words: 'enter a criteria' },
] as const satisfies readonly Problem<keyof TrialConsentText>[]

/** What is missing in a consent form, field by field: all six fields are needed. */
export function consentFormProblems(draft: TrialConsentText): Problem<keyof TrialConsentText>[] {
  return TRIAL_CONSENT_FIELDS.filter(({ field }) => draft[field].trim() === '')
}

/** The same as one sentence; empty when nothing is missing. */
export function consentFormProblem(draft: TrialConsentText): string {
  return problemSentence(consentFormProblems(draft))
}

/** Whether two versions have the same text. */
export function sameConsentText(one: TrialConsentText, other: TrialConsentText): boolean {
  return TRIAL_CONSENT_FIELDS.every(({ field }) => one[field] === other[field])
}

/** A consent form in the layout of the patient's page: paragraphs, and a list of criteria without leading dashes. */
export function consentFormLayout(text: TrialConsentText): {
  title: string
  intro: string[]
  purpose: { heading: string; paragraphs: string[] }
  criteria: { heading: string; items: string[] }
} {
  return {
    title: text.form_title,
    intro: paragraphsOf(text.intro),
    purpose: { heading: text.purpose_heading, paragraphs: paragraphsOf(text.purpose) },
    criteria: {
      heading: text.criteria_heading,
      items: itemsOf(text.criteria),
    },
  }
}
