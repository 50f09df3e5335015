import type { signup } from '@pillar/contract/company/signup'
import type { AskOf, Call, ReplyOf } from '@pillar/contract/wire/call'
import { post } from '../../shared/post.ts'

/** Paths of the contract, which a test keeps equal: the contract's own objects would bring the whole schema library along. */
export const SIGNUP_PATHS = {
  page: '/api/signup/page',
  submit: '/api/signup',
  link: '/api/signup/check-link',
  confirm: '/api/signup/confirm',
  places: '/api/signup/places',
  place: '/api/signup/place',
} as const

const ask =
  <C extends Call>(path: string) =>
  (input: AskOf<C>): Promise<ReplyOf<C>> =>
    post(path, input) as Promise<ReplyOf<C>>

export const readPage = ask<typeof signup.page>(SIGNUP_PATHS.page)
export const submitSignup = ask<typeof signup.submit>(SIGNUP_PATHS.submit)
export const checkLink = ask<typeof signup.link>(SIGNUP_PATHS.link)
export const confirmSignup = ask<typeof signup.confirm>(SIGNUP_PATHS.confirm)
export const findPlaces = ask<typeof signup.places>(SIGNUP_PATHS.places)
export const openPlace = ask<typeof signup.place>(SIGNUP_PATHS.place)

export type PageInfo = ReplyOf<typeof signup.page>
export type FoundPlace = ReplyOf<typeof signup.places>['data'][number]
export type FoundAddress = ReplyOf<typeof signup.place>
export type LinkAbout = ReplyOf<typeof signup.link>

/** The secret part of a mailed link: the text after /calculator/. Null for the form itself. */
export function linkToken(pathname: string): string | null {
  const coded = /^(?:\/en_(?:gb|us))?\/calculator\/([^/]+)\/?$/i.exec(pathname)?.[1]
  if (coded === undefined) return null
  try {
    return decodeURIComponent(coded)
  } catch {
    return coded
  }
}
