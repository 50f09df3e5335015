import type { SkipReason } from '../cohort/held-back.ts'
import { isMedicareNumber } from '../text/identifier.ts'
import { type Problem, pleaseSentence } from '../text/sentence.ts'

/** Fake patients have ids from -1 to -999999. */
export const FAKE_ID = { most: -1, least: -999_999 } as const
export const FAKE_LEVELS = [1, 2, 3, 4, 5] as const
export const FAKE_LEVEL_DEFAULT = 5
export const FAKE_SEXES = ['Male', 'Female'] as const
/** The most fake patients one pharmacy may have. */
export const MOST_FAKE_PATIENTS = 50
/** The most test messages of one pharmacy in 24 hours. */
export const MOST_TESTS_A_DAY = 50

/** An id for a new fake patient. @param random from 0 to 1, 1 excluded */
export function newFakeId(random: number): number {
  return -1 - Math.floor(random * -FAKE_ID.least)
}

/** Why a test holds a fake patient's message back, as it would for a real patient. */
export const NO_CONTACT_REASONS = [
  'opted_out',
  'no_consent',
  'no_contact',
  'invalid_contact',
  'deceased',
  'facility',
  'capped',
] as const satisfies readonly SkipReason[]
export type NoContactReason = (typeof NO_CONTACT_REASONS)[number]

export interface FakePatientDraft {
  readonly id: number
  readonly first_name: string
  readonly last_name: string
  readonly age: number | null
  readonly adherence_level: number
  readonly loyalty_level: number
  readonly leaked_scripts: number
  readonly total_scripts: number
  readonly medicare: string
}

const whole = (value: number, least: number, most: number) => Number.isInteger(value) && value >= least && value <= most
const isLevel = (value: number) => whole(value, 1, 5)

/** What is wrong with a fake patient, field by field. */
export function fakePatientProblems(draft: FakePatientDraft): Problem<keyof FakePatientDraft>[] {
  const found: Problem<keyof FakePatientDraft>[] = []
  const wrong = (field: keyof FakePatientDraft, words: string) => found.push({ field, words })
  if (!whole(draft.id, FAKE_ID.least, FAKE_ID.most)) wrong('id', 'use an id from -1 to -999999')
  if (draft.first_name.trim() === '') wrong('first_name', 'enter a first name')
  if (draft.last_name.trim() === '') wrong('last_name', 'enter a last name')
  if (draft.age !== null && !whole(draft.age, 0, 120)) wrong('age', 'enter an age from 0 to 120')
  if (isMedicareNumber(draft.medicare.replaceAll(/\D/g, '')))
    wrong('medicare', 'enter a Medicare number that cannot be anybody’s, such as 0000 00000 0')
  if (!isLevel(draft.adherence_level)) wrong('adherence_level', 'choose an adherence level from 1 to 5')
  if (!isLevel(draft.loyalty_level)) wrong('loyalty_level', 'choose a loyalty level from 1 to 5')
  if (!whole(draft.total_scripts, 0, 9999)) wrong('total_scripts', 'enter total scripts from 0 to 9999')
  if (!whole(draft.leaked_scripts, 0, 9999)) wrong('leaked_scripts', 'enter leaked scripts from 0 to 9999')
  else if (draft.leaked_scripts > draft.total_scripts)
    wrong('leaked_scripts', 'enter no more leaked scripts than total scripts')
  return found
}

/** The same as one sentence; empty when nothing is wrong. */
export const fakePatientProblem = (draft: FakePatientDraft): string =>
  pleaseSentence(fakePatientProblems(draft).map(({ words }) => words))

/** A one-time code: its digits, the minutes it works, wrong tries before a new one is needed, and the days a confirmation lasts. */
export const CONTACT_CODE = { digits: 6, minutes: 10, tries: 5, days: 30 } as const
/** The most codes per hour, to one number or address and for one person. */
export const CODES_AN_HOUR = { contact: 3, login: 10 } as const
