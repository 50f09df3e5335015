/** The size of the platform at full scale. */
export const SIZE = {
  companies: 1_000,
  pharmacies: 10_000,
  users: 20_000,
  templates: 100_000,
  recommended: 2_000,
  campaigns: 5_000,
  uploads: 100_000,
  acts: 200_000,
  batches: 200_000,
  sequences: 20_000,
  trials: 200,
  recruiters: 300,
  dashboards: 2_000,
}
export type Size = typeof SIZE
/** Runs one statement. */
export type Run = (text: string, values?: unknown[]) => Promise<unknown>

const WORDS = `array['Saltbush','Banksia','Wattle','Heron','Kookaburra','Ironbark','Coolabah','Bilby','Mallee','Lorikeet','Currawong','Quandong',
  'Ballarat','Bendigo','Geelong','Dubbo','Cairns','Albany','Hobart','Darwin','Mildura','Orange','Tamworth','Bunbury']`
/** One of 24 words, chosen by a number in SQL. */
export const word = (n: string, salt: number) => `(${WORDS})[1 + (${n} * 7 + ${salt}) % 24]`
/** As long as a typical pharmacy text: 150 to 320 characters. */
export const body = (
  n: string,
) => `'Hi {First Name}, ' || ${word(n, 8)} || ' at {Pharmacy Name} has noticed that your repeat of {Medicine} is due' ||
  case when ${n} % 3 = 0 then ' soon. Regular medicine keeps you well, and we can have it ready when you come in' else '' end ||
  '. Call us on {Pharmacy Phone Number}, or reply YES and we will prepare it for you, ' || ${word(n, 15)} || ' ' || ${n} || '. Reply STOP to opt out.'`
export const UUID = 'gen_random_uuid()'
