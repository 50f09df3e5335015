import { createHmac } from 'node:crypto'
import { type Identity, matchKeys } from '@pillar/domain/person/match-key'
import type { Country } from '@pillar/domain/time/locale'
import { emailTo, smsTo } from '../location/contact.ts'

/** What identifies a person besides their number at one pharmacy. */
export interface PersonKeys {
  /** Name, date of birth and sex with phone or postcode. */
  person: string[]
  sms: string[]
  email: string[]
}

/** This many characters of the hash are kept: 192 bits. */
const KEY_LENGTH = 32

/** A keyed hash that can neither be reversed nor guessed without the server's secret. */
const keyOf = (secret: Buffer, kind: string, owner: string, text: string): string =>
  createHmac('sha256', secret).update(`erasure ${kind} ${owner}\n${text}`).digest('base64url').slice(0, KEY_LENGTH)

/** The key of a patient's number in the dispensing system of one pharmacy (uuid). */
export const recordKey = (secret: Buffer, location: string, source: string, number: string): string =>
  keyOf(secret, 'record', location, `${source}\n${number}`)

/** Replaces an erased patient's number. */
export const aliasOf = (key: string): string => `erased-${key}`

/** The key of a mobile number (E.164) in a company (id). */
export const numberKey = (secret: Buffer, company: number, number: string): string =>
  keyOf(secret, 'sms', String(company), number)

/** The keys by which a company (id) recognises a person anywhere; empty as far as the record lacks data. */
export function personKeys(
  secret: Buffer,
  company: number,
  one: Identity & { readonly email: string | null },
  country: Country,
): PersonKeys {
  const [sms, email] = [smsTo(one.mobile, country), emailTo(one.email)]
  return {
    person: matchKeys(one).map(({ text }) => keyOf(secret, 'person', String(company), text)),
    sms: sms ? [numberKey(secret, company, sms)] : [],
    email: email ? [keyOf(secret, 'email', String(company), email)] : [],
  }
}
