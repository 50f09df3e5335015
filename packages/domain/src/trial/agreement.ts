import { isMadeUpAddress, isMadeUpNumber } from '../person/match-key.ts'
import { nameInMessage } from '../text/name-in-message.ts'
import { type Country, LOCALES } from '../time/locale.ts'

/** The name of the trial whose page has fixed wording and leads on to a survey. */
const RECALL = 'recall'

/** Whether a trial is the 'recall' variant, by its name. */
export const isRecall = (trial: string): boolean => trial.trim().toLowerCase() === RECALL

/** The fixed text on the page of a 'recall' trial, instead of its consent form. */
export const RECALL_TEXT = [
  'Your pharmacy takes part in a survey about what people remember of the advice they get with their medicines.',
  'If you sign up, you are taken to the survey. It takes about ten minutes.',
] as const

/** What the patient agrees to by pressing the button: who gets the details, and how to withdraw. */
export function contactNote(page: { trial: string; pharmacy: string; recruiter: string }): string {
  const to = isRecall(page.trial) ? 'the third party that runs the survey' : page.recruiter
  const about = isRecall(page.trial) ? 'the survey' : 'this study'
  return `By signing up you agree that ${page.pharmacy} gives the details above to ${to}, who may contact you about ${about}. You can withdraw at any time with the link you get after signing up. Your care at the pharmacy stays the same.`
}

/** Placeholder for the withdrawal link in a message until it is sent. */
export const WITHDRAW_LINK = '{Withdraw link}'

/** The single message after a sign-up: its purpose, who may call, and how to withdraw. No health detail beyond the study's own name. */
export function confirmationOf({ trial, pharmacy, recruiter }: { trial: string; pharmacy: string; recruiter: string }) {
  const survey = isRecall(trial)
  const what = survey ? 'our survey' : `the ${trial} study`
  const next = survey ? '' : ` ${recruiter} may contact you.`
  return {
    subject: survey ? 'You signed up for our survey' : `You signed up for the ${trial} study`,
    text: `${pharmacy}: you signed up for ${what}.${next} To withdraw: ${WITHDRAW_LINK}`,
  }
}

/** The page's words after a submission, from the specification. */
export const registeredText = (trial: string): string =>
  `Congratulations you have successfully registered for the ${trial} study! Thank you for your valuable contribution to advancing medical research.`

/** The details a recruiter needs to reach a patient: either all of them are sent, or nothing. */
export const SIGN_UP_FIELDS = ['first_name', 'last_name', 'phone_number', 'email', 'postcode'] as const
export type SignUpField = (typeof SIGN_UP_FIELDS)[number]
export type SignUp = Readonly<Record<SignUpField, string>>

const LABELS: Readonly<Record<Exclude<SignUpField, 'postcode'>, string>> = {
  ...{ first_name: 'First Name', last_name: 'Last Name', phone_number: 'Phone Number', email: 'Email' },
}

/** The page's label for a detail at a pharmacy in this country. */
export const detailLabel = (field: SignUpField, country: Country): string =>
  field === 'postcode' ? LOCALES[country].postcodeName : LABELS[field]

/** The same within a sentence. */
export const detailWords = (field: SignUpField, country: Country): string =>
  detailLabel(field, country).replaceAll(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase())

/** The page's message for an empty field. */
export const FILL_IN_ALL = 'Please fill in all the fields.'

const PROBLEMS: Readonly<Partial<Record<SignUpField, { fits: (text: string) => boolean; words: string }>>> = {
  phone_number: {
    fits: (text) => /^[\d\s()+./-]+$/.test(text) && text.replaceAll(/\D/g, '').length >= 8,
    words: 'Please enter a phone number that you can be called on.',
  },
  email: {
    fits: (text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text),
    words: 'Please enter an email address, such as name@example.com.',
  },
}

const POSTCODES: Readonly<Record<Country, { fits: (text: string) => boolean; words: string }>> = {
  AU: { fits: (text) => /^\d{4}$/.test(text), words: 'Please enter a postcode of four digits, such as 2000.' },
  GB: {
    fits: (text) => /^[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}$/i.test(text),
    words: 'Please enter a full postcode, such as LS1 4AP.',
  },
  US: {
    fits: (text) => /^\d{5}(?:-\d{4})?$/.test(text),
    words: 'Please enter a ZIP code of five digits, such as 10001.',
  },
}

/** What is wrong with a detail entered by a patient of a pharmacy in this country, as a sentence; empty if it is fine, or if the field is empty. */
export function detailProblem(field: SignUpField, text: string, country: Country): string {
  const known = field === 'postcode' ? POSTCODES[country] : PROBLEMS[field]
  return known === undefined || filled(text) === '' || known.fits(filled(text)) ? '' : known.words
}

const DIGITS: Readonly<Partial<Record<Country, number>>> = { AU: 4, US: 5 }

/** A postcode as a patient's page sends it: text unchanged, a number with the country's leading zeros (800 is 0800). */
export function postcodeText(sent: string | number | null | undefined, country: Country): string | null {
  return typeof sent === 'number' ? String(sent).padStart(DIGITS[country] ?? 0, '0') : (sent ?? null)
}

/** On one line, because recruiters' lists and files have one row for each patient. */
const filled = (text: string | null | undefined) => (text ?? '').replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()

/**
 * What a pharmacy's record says to a recruiter: names without what the pharmacy noted behind them, and a number or an address only if it
 * reaches the patient. Null is for the patient to fill in.
 */
export function sharedDetails(known: Readonly<Record<SignUpField, string | null>>): Record<SignUpField, string | null> {
  const [phone, email] = [filled(known.phone_number), filled(known.email)]
  const reaches = { phone: PROBLEMS.phone_number!.fits(phone), email: PROBLEMS.email!.fits(email) }
  return {
    first_name: nameInMessage(filled(known.first_name)) || null,
    last_name: nameInMessage(filled(known.last_name)) || null,
    phone_number: reaches.phone && !isMadeUpNumber(phone) ? phone : null,
    email: reaches.email && !isMadeUpAddress(email) ? email : null,
    postcode: filled(known.postcode) || null,
  }
}

/**
 * The details for the recruiter: what the pharmacy knows takes precedence over anything sent; the rest is as the patient entered it. This way,
 * somebody who was passed the link can never put their own number beside a patient's name.
 * @returns the details, the empty fields, and a sentence for each detail by which nobody could be reached
 */
export function signUpOf(
  known: Readonly<Record<SignUpField, string | null>>,
  sent: Readonly<Partial<Record<SignUpField, string | null>>>,
  country: Country,
): { details: SignUp; missing: SignUpField[]; wrong: Partial<Record<SignUpField, string>> } {
  const details = Object.fromEntries(
    SIGN_UP_FIELDS.map((field) => [field, filled(known[field]) || filled(sent[field])]),
  ) as unknown as SignUp
  const wrong = SIGN_UP_FIELDS.flatMap((field) => {
    const problem = filled(known[field]) === '' ? detailProblem(field, details[field], country) : ''
    return problem === '' ? [] : [[field, problem] as const]
  })
  return {
    details,
    missing: SIGN_UP_FIELDS.filter((field) => details[field] === ''),
    wrong: Object.fromEntries(wrong),
  }
}
