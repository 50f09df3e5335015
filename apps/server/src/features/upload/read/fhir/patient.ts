import { type Day, formatDay, parseDay } from '@pillar/domain/time/day'
import type { JsonObject } from './line/json.ts'
import type { Values } from './medication.ts'
import { rememberIdentifiers } from './reference.ts'
import { booleanAt, firstOf, listAt, numberAt, objectAt, spanOf, textAt, textsAt } from './resource.ts'
import type { FhirContext } from './state.ts'

export const PATIENT_PATHS = {
  patient_id: 'id',
  first_name: 'name.given',
  last_name: 'name.family',
  sex: 'gender',
  date_of_birth: 'birthDate',
  address: 'address.line',
  suburb: 'address.city',
  state: 'address.state',
  postcode: 'address.postalCode',
  mobile: 'telecom.value',
  email: 'telecom.value',
  deceased_on: 'deceasedDateTime',
} as const

/** A Patient as a row of patients. */
export function patientOf(resource: JsonObject, context: FhirContext): Values {
  const id = textAt(resource, 'id')
  const { state } = context
  rememberIdentifiers(resource, id, state)
  if (listAt(resource, 'link').some((one) => one.type === 'replaced-by')) state.count('replaced')
  const gender = textAt(resource, 'gender').toLowerCase()
  const [first_name, last_name] = namesOf(resource, context.today)
  const deceased_on = deathOf(resource, context)
  return {
    patient_id: id,
    ...{ first_name, last_name },
    sex: gender === 'female' ? 'F' : gender === 'male' ? 'M' : '',
    date_of_birth: birthOf(resource, context, parseDay(deceased_on) ?? context.today),
    ...addressOf(resource, context.today),
    mobile: contactOf(resource, context.today, isMobile),
    email: contactOf(resource, context.today, ({ system }) => system === 'email'),
    deceased_on,
    ...(hasUnknownDeathDate(resource) ? { [DEATH_DATE_UNKNOWN]: '1' } : {}),
  }
}

/** Marks a patient whose day of death is unknown: the assumed day must not move with each later change. */
export const DEATH_DATE_UNKNOWN = 'death_date_unknown'

const hasUnknownDeathDate = (resource: JsonObject) =>
  textAt(resource, 'deceasedDateTime') === '' && booleanAt(resource, 'deceasedBoolean') === true

/** Given and family name from the name to use: official before usual before others; never a maiden or an old one. */
export function namesOf(resource: JsonObject, today: Day): [first: string, last: string] {
  const uses = ['official', 'usual', '', 'nickname', 'temp', 'anonymous']
  const names = listAt(resource, 'name').map((name, at) => ({ name, path: `name[${at}]` }))
  const [best] = names
    .map((one) => ({ ...one, rank: uses.indexOf(textAt(one.name, 'use', `${one.path}.use`)) }))
    .filter(({ rank, name }) => rank >= 0 && !isPast(name, today))
    .sort((a, b) => a.rank - b.rank)
  if (!best) return ['', '']
  const { name, path } = best
  const [given = ''] = textsAt(name, 'given', `${path}.given`)
  const family = textAt(name, 'family', `${path}.family`)
  if (given !== '' || family !== '') return [given, family]
  // A name in one piece: the last word is taken as the family name.
  const words = textAt(name, 'text', `${path}.text`).split(/\s+/).filter(Boolean)
  return [words.slice(0, -1).join(' '), words.at(-1) ?? '']
}

/** Whether the period of a name, address or contact has ended. */
function isPast(of: JsonObject, today: Day): boolean {
  const end = objectAt(of, 'period')?.end
  return typeof end === 'string' && end !== '' && end.slice(0, 10) < formatDay(today).slice(0, end.length)
}

interface Contact {
  system: string
  use: string
}

/** A number that reaches only the person: a mobile, or one for texts; not a home, office or old number. */
const isMobile = ({ system, use }: Contact) =>
  (system === 'sms' && use !== 'work') || (system === 'phone' && (use === 'mobile' || use === ''))

function contactOf(resource: JsonObject, today: Day, fits: (contact: Contact) => boolean): string {
  const [best] = listAt(resource, 'telecom')
    .map((one, at) => {
      const path = `telecom[${at}]`
      const [system, use] = [textAt(one, 'system', `${path}.system`), textAt(one, 'use', `${path}.use`)]
      const rank = numberAt(one, 'rank', `${path}.rank`) ?? 100
      const stated = system === 'phone' && use === '' ? 1 : 0
      return { one, system, use, rank: stated * 1000 + rank, value: textAt(one, 'value', `${path}.value`) }
    })
    .filter((found) => found.value !== '' && found.use !== 'old' && !isPast(found.one, today) && fits(found))
    .sort((a, b) => a.rank - b.rank)
  return best?.value.replace(/^(?:tel|sms|mailto):/i, '') ?? ''
}

const AU_STATES: Readonly<Record<string, string>> = {
  'australian capital territory': 'ACT',
  'new south wales': 'NSW',
  'northern territory': 'NT',
  queensland: 'QLD',
  'south australia': 'SA',
  tasmania: 'TAS',
  victoria: 'VIC',
  'western australia': 'WA',
}

function addressOf(resource: JsonObject, today: Day): Values {
  const uses = ['home', '', 'temp', 'work', 'billing']
  const [best] = listAt(resource, 'address')
    .map((one, at) => ({ one, path: `address[${at}]`, rank: uses.indexOf(textAt(one, 'use', `address[${at}].use`)) }))
    .filter(({ one, rank }) => rank >= 0 && !isPast(one, today))
    .sort((a, b) => a.rank - b.rank || Number(a.one.type === 'postal') - Number(b.one.type === 'postal'))
  const { one, path } = best ?? { one: {}, path: 'address' }
  const state = textAt(one, 'state', `${path}.state`)
  const lines = textsAt(one, 'line', `${path}.line`).join(', ')
  const parts = {
    suburb: textAt(one, 'city', `${path}.city`),
    postcode: textAt(one, 'postalCode', `${path}.postalCode`),
  }
  const whole = lines === '' && parts.suburb === '' ? textAt(one, 'text', `${path}.text`) : lines
  return { address: whole, ...parts, state: AU_STATES[state.toLowerCase()] ?? state }
}

/**
 * Date of birth; for a year alone 1 July and for a month alone its first day, as the omop source does: at most half a year off.
 * @param lastDay the day of death, or today: a child who died in spring was born before it
 */
function birthOf(resource: JsonObject, { timeZone, state }: FhirContext, lastDay: Day): string {
  const text = textAt(resource, 'birthDate')
  if (text === '') return ''
  const { first, last } = spanOf(text, 'birthDate', timeZone)
  if (first === last) return formatDay(first)
  state.count('birth')
  const middle: Day = text.length === 4 ? first + 181 + Number(last - first === 365) : first
  return formatDay(middle > lastDay ? first : middle)
}

/**
 * Date of death; for a year or month alone its last day, so that nothing supplied before counts as after it. Without a date, the day the
 * record was last changed, otherwise today: a patient who has died gets no messages.
 */
function deathOf(resource: JsonObject, { today, timeZone, state }: FhirContext): string {
  const text = textAt(resource, 'deceasedDateTime')
  if (text !== '') {
    const { first, last } = spanOf(text, 'deceasedDateTime', timeZone)
    return formatDay(first <= today ? Math.min(last, today) : first)
  }
  if (!hasUnknownDeathDate(resource)) return ''
  state.count('death')
  const changed = firstOf(textAt(objectAt(resource, 'meta') ?? {}, 'lastUpdated', 'meta.lastUpdated'))
  return formatDay(changed === '' ? today : Math.min(today, spanOf(changed, 'meta.lastUpdated', timeZone).first))
}
