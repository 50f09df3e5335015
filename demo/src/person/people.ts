/** The people who can sign in to the demo network. Passwords are set where accounts are created. */
export interface DemoPerson {
  readonly username: string
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly flags: readonly string[]
  readonly company: string
}

export const MAIN_COMPANY = 'Saltbush Pharmacy Group'
export const RIVAL_COMPANY = 'Wattle & Co'
/** Companies with one or two shops, for which nobody signs in: the others' product averages are made from them. */
export const SMALL_COMPANIES: readonly string[] = [
  'Fernshade Pharmacies',
  'Quillon Chemists',
  'Marlstone Pharmacy',
  'Dunlark & Sons',
  'Pebblecombe Chemists',
  'Hollowreed Pharmacy',
  'Tansy Lane Pharmacies',
  'Currajin Chemists',
  'Oakapple & Daughters',
]

function person(username: string, first: string, last: string, flags: string[], company = MAIN_COMPANY): DemoPerson {
  const host = company === MAIN_COMPANY ? 'saltbush.example' : 'wattle.example'
  const email = `${first}.${last}@${host}`.toLowerCase()
  return { username, email, first_name: first, last_name: last, flags, company }
}

export const DEMO_PEOPLE: readonly DemoPerson[] = [
  person('headoffice', 'Helen', 'Kowalski', ['data_analytics', 'sixty_day_signup']),
  person('guild', 'Graham', 'Petrov', ['guild_login']),
  person('supplier', 'Sunita', 'Sharma', ['supplier_analytics']),
  person('advertiser', 'Adele', 'Rossi', ['ad_analytics']),
  person('trials', 'Tamara', 'Nguyen', ['clinical_trials_login']),
  person('controlled', 'Connor', 'Walsh', ['ecdr']),
  person('support', 'Sione', 'Hart', ['sr_login']),
  person('rival', 'Rhys', 'Morgan', ['data_analytics'], RIVAL_COMPANY),
]

/** Owners of the pharmacies: the head office's contacts, and the recipients of a pharmacy's reports. They have no screens of their own. */
export const DEMO_OWNERS: readonly DemoPerson[] = [
  person('owner-1', 'Ngaire', 'Fell', []),
  person('owner-2', 'Tom', 'Abreu', []),
  person('owner-3', 'Mei', 'Lindqvist', []),
  person('owner-4', 'Owen', 'Bassett', [], RIVAL_COMPANY),
]
/** One in this many pharmacies has no owner set. */
export const OWNERLESS_EVERY = 8
