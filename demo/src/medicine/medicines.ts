import { dayOf } from '../calendar.ts'
import { readData } from '../data-files.ts'
import { cumulate, pickWeighted, type Random } from '../random.ts'

/** One line of demo/data/medicines.csv. `price` is in cents for one usual supply, `weight` in million scripts a year. */
export interface Medicine {
  readonly index: number
  readonly molecule: string
  readonly atc: string
  readonly form: string
  readonly strengths: readonly string[]
  readonly packSize: number
  readonly defaultDays: number
  readonly weight: number
  readonly price: number
  readonly repeats: number
  readonly chronic: boolean
  /** First day on which a 60-day prescription can be written; Infinity if never. */
  readonly sixtyDayFrom: number
  readonly schedule: string
  readonly pbsCode: string
  readonly pbsCode60: string
}

export const MEDICINES: readonly Medicine[] = readData('medicines.csv').map((row, index) => ({
  index,
  molecule: row.molecule ?? '',
  atc: row.atc ?? '',
  form: row.form ?? '',
  strengths: (row.strengths ?? '').split('|'),
  packSize: Number(row.pack_size),
  defaultDays: Number(row.default_days),
  weight: Number(row.weight),
  price: Math.round(Number(row.mean_price) * 100),
  repeats: Number(row.repeats),
  chronic: row.chronic === 'yes',
  sixtyDayFrom: row.sixty_day_from ? dayOf(row.sixty_day_from) : Number.POSITIVE_INFINITY,
  schedule: row.schedule ?? '',
  pbsCode: row.pbs_code ?? '',
  pbsCode60: row.pbs_code_60 ?? '',
}))

/** Upper ages (exclusive) of the six bands used to draw prescriptions. */
export const AGE_BANDS = [18, 35, 50, 65, 75, 200] as const

export function ageBand(years: number): number {
  return AGE_BANDS.findIndex((limit) => years < limit)
}

type Profile = readonly [prefix: string, female: number, male: number, byBand: readonly number[]]

// Who takes what: rough shapes by ATC prefix; the longest prefix wins.
const PROFILES: readonly Profile[] = [
  ['', 1, 1, [0.3, 0.8, 1, 1, 1, 1]],
  ['A02', 1, 1, [0.1, 0.5, 0.9, 1, 1.1, 1.1]],
  ['A10', 0.85, 1.15, [0.05, 0.3, 0.8, 1.2, 1.2, 1]],
  ['B01', 0.85, 1.2, [0, 0.1, 0.4, 1, 1.8, 2.5]],
  ['C', 0.95, 1.05, [0, 0.15, 0.6, 1, 1.2, 1.2]],
  ['C02AC02', 0.7, 1.3, [6, 0.5, 0, 0, 0, 0]],
  ['D', 1, 1, [1.2, 1, 0.9, 0.9, 0.9, 1]],
  ['D10', 1, 1, [2, 2.5, 0.2, 0, 0, 0]],
  ['G03A', 1, 0, [1, 5, 2.5, 0.2, 0, 0]],
  ['G03C', 1, 0, [0, 0, 0.5, 2, 1, 0.8]],
  ['G03F', 1, 0, [0, 0, 0.7, 2.4, 0.4, 0]],
  ['G04C', 0, 1, [0, 0, 0.1, 0.8, 1.8, 2.2]],
  ['J01', 1.15, 0.85, [1.6, 1.1, 1, 0.9, 0.9, 1]],
  ['J05AR', 0.05, 1, [0, 2, 1.5, 0.6, 0.1, 0]],
  ['L02', 1, 0, [0, 0, 0.3, 1, 1.4, 1.2]],
  ['M05', 1.6, 0.4, [0, 0, 0.1, 0.8, 1.6, 2.2]],
  ['N02C', 1.6, 0.4, [0.3, 1.2, 1.5, 1, 0.3, 0.1]],
  ['N04', 0.9, 1.1, [0, 0, 0.1, 0.6, 1.5, 2]],
  ['N06A', 1.3, 0.7, [0.3, 2, 1.6, 1, 0.7, 0.7]],
  ['N06B', 0.8, 1.2, [8, 4, 1.5, 0.3, 0, 0]],
  ['N06D', 1, 1, [0, 0, 0, 0.2, 1, 3]],
  ['R03', 1.1, 0.9, [1.2, 0.7, 0.8, 0.9, 1.1, 1.1]],
  ['S01E', 1, 1, [0, 0.05, 0.3, 0.9, 1.6, 2]],
]

function profileOf(atc: string): Profile {
  let best = PROFILES[0] as Profile
  for (const profile of PROFILES) if (atc.startsWith(profile[0]) && profile[0].length > best[0].length) best = profile
  return best
}

// Share of chronic and of acute use in each age band, rounded; divides the age shape out of the weights, so that over all patients a
// medicine keeps its PBS share.
const USE_BY_BAND = [
  [0.01, 0.04, 0.09, 0.23, 0.29, 0.34],
  [0.07, 0.1, 0.13, 0.23, 0.23, 0.24],
] as const

function tableFor(chronic: boolean, band: number, female: boolean): Float64Array {
  return cumulate(
    MEDICINES.map((medicine) => {
      if (medicine.chronic !== chronic) return 0
      const [, forWomen, forMen, byBand] = profileOf(medicine.atc)
      const use = USE_BY_BAND[chronic ? 0 : 1]
      const usual = 0.5 * (forWomen + forMen) * use.reduce((sum, share, i) => sum + share * (byBand[i] ?? 1), 0)
      // A long pack means fewer scripts per user, so more users per script. The power compensates for nobody taking two medicines of one
      // class, which limits the most used ones.
      const users = chronic ? medicine.weight ** 1.12 * (medicine.defaultDays / 30) : medicine.weight ** 1.05
      return (users / usual) * (byBand[band] ?? 1) * (female ? forWomen : forMen)
    }),
  )
}

const tables = [true, false].map((chronic) =>
  AGE_BANDS.map((_, band) => [true, false].map((female) => tableFor(chronic, band, female))),
)

/** A medicine for a person of this age band and sex, by PBS share and usual users. */
export function drawMedicine(random: Random, chronic: boolean, band: number, female: boolean): Medicine {
  const table = tables[chronic ? 0 : 1]?.[band]?.[female ? 0 : 1] as Float64Array
  return MEDICINES[pickWeighted(random, table)] as Medicine
}

/** The medicines to which a patient on this one may be switched: others of its ATC level 4, or a combination that contains it. */
export const SWITCHES: readonly (readonly Medicine[])[] = MEDICINES.map((from) =>
  MEDICINES.filter(
    (to) =>
      to !== from &&
      to.chronic &&
      (to.atc.slice(0, 5) === from.atc.slice(0, 5) || to.molecule.split(' + ').includes(from.molecule)),
  ),
)
