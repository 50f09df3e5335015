import type { consent } from '@pillar/contract/message/consent'
import type { trialConsent } from '@pillar/contract/trial/trial-consent'
import type { AskOf, Call, ReplyOf } from '@pillar/contract/wire/call'
import { post } from '../../shared/post.ts'

/** Paths of the contract, which a test keeps equal: the contract's own objects would bring the whole schema library along. */
export const PATIENT_PATHS = {
  challenge: '/api/captcha-challenge',
  form: '/api/communication-consent/{id}',
  submit: '/api/communication-consent/{id}/submit',
  unsubscribeForm: '/api/validate-unsubscribe/{id}',
  unsubscribe: '/api/unsubscribe/{id}',
  download: '/api/download-file',
  trialForm: '/api/consent/{id}',
  trialSubmit: '/api/consent/{id}/submit',
  withdrawal: '/api/consent/{id}/withdrawal',
  withdraw: '/api/consent/{id}/withdraw',
} as const

/** The pages' document titles, without the product's name; the same test keeps them equal to the domain's. */
export const PATIENT_TITLES = {
  consent: 'Communication Consent',
  unsubscribe: 'Unsubscribe',
  'download-file': 'Download File',
  clinicaltrial: 'Clinical Trial',
} as const

interface Asked {
  path: string
  answer: Promise<Response>
}

/** The answer that `public/assets/ask-3.js` requested before this script loaded; it can be used once. */
function askedEarly(path: string): Promise<Response> | undefined {
  const page = window as { pillarAsked?: Asked | undefined }
  const early = page.pillarAsked
  if (early?.path !== path) return undefined
  page.pillarAsked = undefined
  return early.answer
}

const ask =
  <C extends Call>(template: string) =>
  (input: AskOf<C>): Promise<ReplyOf<C>> => {
    const { id, ...rest } = input as { id?: string }
    const path = template.replace('{id}', encodeURIComponent(id ?? ''))
    return post(path, rest, { asked: askedEarly(path) }) as Promise<ReplyOf<C>>
  }

export const readChallenge = ask<typeof consent.challenge>(PATIENT_PATHS.challenge)
export const readForm = ask<typeof consent.form>(PATIENT_PATHS.form)
export const submitForm = ask<typeof consent.submit>(PATIENT_PATHS.submit)
export const readUnsubscribe = ask<typeof consent.unsubscribeForm>(PATIENT_PATHS.unsubscribeForm)
export const unsubscribe = ask<typeof consent.unsubscribe>(PATIENT_PATHS.unsubscribe)
export const download = ask<typeof consent.download>(PATIENT_PATHS.download)

export const readTrial = ask<typeof trialConsent.form>(PATIENT_PATHS.trialForm)
export const signUpForTrial = ask<typeof trialConsent.submit>(PATIENT_PATHS.trialSubmit)
export const readWithdrawal = ask<typeof trialConsent.withdrawal>(PATIENT_PATHS.withdrawal)
export const withdraw = ask<typeof trialConsent.withdraw>(PATIENT_PATHS.withdraw)

export type TrialForm = ReplyOf<typeof trialConsent.form>
export type SignedUp = ReplyOf<typeof trialConsent.submit>
export type Withdrawal = ReplyOf<typeof trialConsent.withdrawal>
export type Form = ReplyOf<typeof consent.form>
export type UnsubscribeAnswer = ReplyOf<typeof consent.unsubscribeForm>
export type PublicLocation = Form['location']
export type Captcha = ReplyOf<typeof consent.challenge>
