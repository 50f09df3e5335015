import { MEDICINES, type Medicine } from './medicines.ts'

const COUNT: Record<string, string> = { 0.5: 'HALF A', 1: 'ONE', 2: 'TWO', 3: 'THREE', 4: 'FOUR' }

function tabletsDaily(unit: string, perDay: number): string[] {
  if (perDay === 0.5)
    return [`Take HALF A ${unit.toUpperCase()} daily`, `Take HALF A ${unit.toUpperCase()} in the morning`]
  if (perDay === 1)
    return [
      `Take ONE ${unit} daily`,
      `Take ONE ${unit} in the morning`,
      `Take ONE ${unit} at night`,
      `TAKE ONE ${unit.toUpperCase()} DAILY`,
      `"Take ONE ${unit} daily, with food"`,
      'ONE daily',
      'ONE nocte',
      '1 mane',
    ]
  if (perDay === 2)
    return [
      `Take ONE ${unit} twice a day`,
      `Take TWO ${unit}s daily`,
      `TAKE ONE ${unit.toUpperCase()} TWICE A DAY`,
      'ONE bd',
    ]
  if (perDay === 3) return [`Take ONE ${unit} three times a day`, 'ONE tds']
  if (perDay === 4) return [`Take ONE ${unit} four times a day`, `Take TWO ${unit}s twice a day`, 'ONE qid']
  return [`Take ${COUNT[perDay] ?? perDay} ${unit}s daily`]
}

const WHEN_REQUIRED = /^(N02A|N02BE|N05BA|N05CD|M01A|A03FA|A04|N05AB04|N02C)/

function wordings(medicine: Medicine, dose: number): string[] {
  const { form, packSize, defaultDays } = medicine
  const perDay = Math.round((packSize / defaultDays) * dose * 2) / 2
  if (/tablet|capsule|wafer/.test(form)) {
    const unit = /capsule/.test(form) ? 'capsule' : /wafer/.test(form) ? 'wafer' : 'tablet'
    if (WHEN_REQUIRED.test(medicine.atc))
      return [`Take ONE or TWO ${unit}s every 4 to 6 hours when required`, `Take ONE ${unit} when required`]
    if (medicine.atc === 'B01AA03') return ['Take as directed by your doctor', 'As directed']
    if (defaultDays / packSize >= 7)
      return [`Take ONE ${unit} once a week`, `"Take ONE ${unit} weekly, on the same day"`]
    if (medicine.atc === 'L01BA01') return [`Take THREE ${unit}s once a week`]
    return tabletsDaily(unit, Math.max(0.5, perDay))
  }
  if (form === 'inhaler' && perDay === 2) return ['Inhale TWO puffs daily']
  if (form === 'inhaler')
    return perDay > 3 ? ['Inhale TWO puffs twice a day', 'Inhale TWO puffs when required'] : ['Inhale ONE puff daily']
  if (form === 'eye drops')
    return ['Instil ONE drop into both eyes at night', 'Instil ONE drop into the affected eye twice a day']
  if (form === 'ear drops') return ['Instil THREE drops into the affected ear three times a day']
  if (form === 'patch') return ['Apply ONE patch as directed', 'Apply to clean dry skin and change as directed']
  if (/cream|lotion|foam/.test(form))
    return ['Apply thinly to the affected area once or twice a day', 'Apply as directed']
  return ['Inject as directed by your doctor', 'Use as directed']
}

/** The demo's doses: the usual one, half of it, and twice it. */
export const DOSES = [1, 0.5, 2] as const

const texts = MEDICINES.map((medicine) => DOSES.map((dose) => wordings(medicine, dose)))

/** Label directions, already quoted for CSV if they contain a comma. `dose` is an index of DOSES. */
export function directionsOf(medicine: Medicine, dose: number): readonly string[] {
  return texts[medicine.index]?.[dose] as string[]
}

/** Whether the dose can be halved or doubled without odd wording: once a day, tablets or capsules. */
export function doseVaries(medicine: Medicine): boolean {
  return (
    medicine.chronic &&
    medicine.packSize === medicine.defaultDays &&
    /^(modified release )?(tablet|capsule)$/.test(medicine.form)
  )
}
