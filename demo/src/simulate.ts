import { monthOf, yearOf } from './calendar.ts'
import { DOSES } from './medicine/directions.ts'
import { drawMedicine, type Medicine } from './medicine/medicines.ts'
import { fullPrice, type Payment, pay, type SafetyNet } from './medicine/payment.ts'
import { hasBrand, PRODUCTS, productOf, takesBrand } from './medicine/products.ts'
import {
  courseAfter,
  daysOf,
  drawNew,
  nextDue,
  type Prescription,
  shortestGap,
  sixtyDayUptake,
  startTherapy,
  switchTarget,
  type Therapy,
} from './medicine/therapy.ts'
import type { Patient } from './person/patients.ts'
import { type Random, randomFrom } from './random.ts'
import { type LineKind, writeLine, writePrescription } from './rows.ts'
import { visitDay, type World } from './world.ts'

const CHRONIC_BY_BAND = [0.15, 0.55, 1.05, 2.2, 3.5, 4.7]
const ACUTE_A_YEAR = [2.6, 2.5, 3, 4.3, 5.5, 6.6]
const OTHER_PHARMACIES = ['Elsewhere Pharmacy', 'Highway Pharmacy', 'Plaza Pharmacy', 'Hospital Pharmacy']

interface Life {
  readonly world: World
  readonly patient: Patient
  readonly random: Random
  readonly therapies: Therapy[]
  readonly prescriptions: Prescription[]
  readonly net: SafetyNet
  readonly payment: Payment
  readonly newEvery: number
  readonly sync: number
  lines: number
  wrote: boolean
}

/** Drawn separately from everything else: without brands the same people would take the same medicines on the same days. */
function isBranded({ world, patient }: Life, medicine: Medicine, day: number): boolean {
  if (!hasBrand(medicine)) return false
  const taste = randomFrom(world.seed, 12, world.pharmacy.index, patient.index, medicine.index).next()
  return takesBrand(medicine, taste, Math.max(0, day - world.start) / 365.25)
}

function newPrescription(life: Life, therapy: Therapy, day: number): Prescription {
  const { world, patient, random } = life
  const { medicine } = therapy
  const stable = day - therapy.startedOn >= 180
  const uptake = sixtyDayUptake(day, medicine.sixtyDayFrom)
  const sixtyDay = stable && medicine.pbsCode60 !== '' && therapy.sixtyDayAt < uptake
  const outside = random.next() < patient.leak * 0.4 && medicine.repeats > 1
  const packs = sixtyDay ? 2 : DOSES[therapy.dose] === 2 ? 2 : 1
  const rx: Prescription = {
    id: (patient.index + 1) * 10_000 + life.prescriptions.length + 1,
    product: productOf(medicine, therapy.strength, sixtyDay, isBranded(life, medicine, day)),
    prescriber: random.next() < 0.9 ? therapy.prescriber : random.int(world.character.prescribers),
    prescribedOn: day - (random.next() < 0.5 ? 0 : random.int(9)),
    repeats: medicine.repeats,
    authority: medicine.schedule === 'S8' || medicine.price > 30_000 ? String(10_000_000 + random.int(89_999_999)) : '',
    outside,
    originalPharmacy: outside ? (OTHER_PHARMACIES[random.int(OTHER_PHARMACIES.length)] ?? '') : '',
    isPrivate: patient.type === 'General' && random.next() < 0.02,
    packs,
    days: sixtyDay && DOSES[therapy.dose] === 2 ? daysOf(therapy, 4) : daysOf(therapy, packs),
    next: outside ? 2 + random.int(Math.min(3, medicine.repeats)) : 1,
    ceasedOn: Number.POSITIVE_INFINITY,
    written: false,
  }
  life.prescriptions.push(rx)
  return rx
}

function line(life: Life, therapy: Therapy, rx: Prescription, day: number, supply: number, kind: LineKind): void {
  const { world, patient, random, net, payment } = life
  const product = PRODUCTS[rx.product]
  if (!product) return
  const year = yearOf(day)
  if (year !== net.year) {
    net.year = year
    net.paid = 0
  }
  const full = fullPrice(product.medicine.price * product.priceFactor, rx.packs, day)
  const paid = net.paid
  pay(payment, rx.isPrivate ? 'Private' : patient.type, full, day, net, world.character.discount)
  if (kind === 'reversed' || kind === 'deferred') net.paid = paid
  const chance = random.next()
  life.lines++
  if (day < world.from) return
  const id = (patient.index + 1) * 10_000 + life.lines
  const recordsDays = chance < world.character.daysSupply
  writeLine(
    world,
    patient,
    therapy,
    rx,
    { id, day, supply, kind, full, recordsDays, hasDirections: chance < 0.96 },
    payment,
  )
  life.wrote = true
}

/** What happens to the medicine after this supply, and when the next one is due. */
function carryOn(life: Life, therapy: Therapy, rx: Prescription, day: number): void {
  const { random, patient, world } = life
  if (!therapy.medicine.chronic) {
    // Repeats of an acute medicine are collected when it is needed again, if at all.
    therapy.ended = rx.next > rx.repeats + 1 || random.next() < 0.5
    therapy.due = day + Math.ceil(rx.days * (1 + 1.5 * random.exponential()))
    return
  }
  therapy.due = nextDue(random, therapy, day, rx.days)
  const course = courseAfter(random, therapy, day, rx.days, patient.quality)
  if (course === 'goes on') return
  if (course === 'pauses') {
    therapy.due += 60 + random.int(240)
    return
  }
  therapy.ended = true
  if (course === 'ceases') rx.ceasedOn = day + 1 + random.int(Math.max(2, rx.days))
  if (course === 'switches') {
    const to = switchTarget(random, therapy.medicine)
    if (life.therapies.some((one) => !one.ended && one.medicine === to)) return
    if (random.next() < 0.3) rx.ceasedOn = therapy.due
    life.therapies.push(startTherapy(random, patient, to, world.character.prescribers, therapy.due, therapy.due))
  }
}

function supply(life: Life, therapy: Therapy, day: number): void {
  const { random, patient } = life
  let rx = therapy.prescription
  if (!rx || rx.next > rx.repeats + 1 || day - rx.prescribedOn > 365) {
    if (rx && !therapy.medicine.chronic) {
      therapy.ended = true
      return
    }
    rx = newPrescription(life, therapy, day)
    therapy.prescription = rx
    if (rx.next === 1 && random.next() < 0.006) {
      line(life, therapy, rx, day, 1, 'deferred')
      therapy.due = day + 5 + random.int(20)
      return
    }
  }
  therapy.lastSupply = day
  // Regulation 49: all supplies at once, for people who live far away or travel.
  const together = rx.next === 1 && rx.repeats > 0 && random.next() < 0.0025 ? rx.repeats + 1 : 1
  const elsewhere = together === 1 && random.next() < patient.leak
  for (let i = 0; i < together; i++) {
    const number = rx.next++
    therapy.runsOut = Math.max(day, therapy.runsOut) + rx.days
    if (elsewhere) continue
    const chance = random.next()
    if (chance < 0.008) line(life, therapy, rx, day, number, 'reversed')
    line(life, therapy, rx, day, number, chance > 0.988 ? 'owing' : 'supplied')
  }
  carryOn(life, therapy, rx, day)
  if (together > 1) therapy.due = Math.max(therapy.due, therapy.runsOut - 15)
}

/** Winter brings more infections; other acute needs come all year. */
function acuteHappens(random: Random, atc: string, day: number): boolean {
  if (!/^(J01|R03|H02)/.test(atc)) return random.next() < 0.8
  return random.next() < 0.75 + 0.25 * Math.cos(((monthOf(day) - 7.5) / 6) * Math.PI)
}

function begin(life: Life): void {
  const { world, patient, random, therapies } = life
  const prevalent = patient.joins < world.start
  const mean = CHRONIC_BY_BAND[patient.band] ?? 1
  const wanted = Math.min(16, Math.round(mean * Math.exp(0.75 * random.normal() - 0.28) * (patient.facility ? 1.6 : 1)))
  for (let i = 0; i < wanted; i++) {
    const medicine = drawNew(random, patient, therapies)
    if (!medicine) break
    const since = patient.joins - (prevalent || random.next() < 0.7 ? Math.ceil(900 * random.exponential()) : 0)
    const due = patient.joins + (prevalent ? random.int(medicine.defaultDays) : random.int(10))
    const therapy = startTherapy(random, patient, medicine, world.character.prescribers, since, due)
    therapies.push(therapy)
    if (!prevalent) continue
    // A long-standing patient starts somewhere in the middle of a prescription.
    const rx = newPrescription(life, therapy, due)
    const done = random.int(rx.repeats + 1)
    therapy.prescription = { ...rx, next: Math.max(rx.next, done + 1), prescribedOn: rx.prescribedOn - done * rx.days }
    life.prescriptions[life.prescriptions.length - 1] = therapy.prescription
  }
}

/** Takes one patient through the history in order of time and writes what falls into the world's range; returns whether it wrote something. */
export function simulatePatient(world: World, patient: Patient): { wrote: boolean } {
  const random = randomFrom(world.seed, 7, world.pharmacy.index, patient.index)
  const mean = CHRONIC_BY_BAND[patient.band] ?? 1
  const life: Life = {
    world,
    patient,
    random,
    therapies: [],
    prescriptions: [],
    net: { year: 0, paid: 0 },
    payment: { type: patient.type, patient: 0, government: 0 },
    newEvery: 365 / (0.04 + 0.115 * mean),
    sync: random.int(13),
    lines: 0,
    wrote: false,
  }
  begin(life)
  const acuteEvery = 365 / (ACUTE_A_YEAR[patient.band] ?? 2)
  let nextNew = patient.joins + random.exponential() * life.newEvery
  let nextAcute = patient.joins + random.exponential() * acuteEvery
  const last = Math.min(world.to, patient.exit - 1)
  for (;;) {
    let soonest = Math.min(nextNew, nextAcute)
    for (const therapy of life.therapies) if (!therapy.ended && therapy.due < soonest) soonest = therapy.due
    if (soonest > last) break
    const day = visitDay(world, Math.ceil(soonest), random)
    if (day > last) break
    if (nextNew <= day) {
      const medicine = drawNew(random, patient, life.therapies)
      if (medicine) life.therapies.push(startTherapy(random, patient, medicine, world.character.prescribers, day, day))
      nextNew = day + random.exponential() * life.newEvery
    }
    if (nextAcute <= day) {
      const medicine = drawMedicine(random, false, patient.band, patient.female)
      if (acuteHappens(random, medicine.atc, day))
        life.therapies.push(startTherapy(random, patient, medicine, world.character.prescribers, day, day))
      nextAcute = day + random.exponential() * acuteEvery
    }
    visit(life, day)
  }
  for (const rx of life.prescriptions)
    if (rx.written || (rx.ceasedOn >= world.from && rx.ceasedOn <= world.to)) {
      writePrescription(world, patient, rx)
      // A prescription ceased in the range may be the only row of a patient without a supply in it.
      life.wrote = true
    }
  return { wrote: life.wrote }
}

function visit(life: Life, day: number): void {
  const { therapies } = life
  const count = therapies.length
  for (let i = 0; i < count; i++) {
    const therapy = therapies[i] as Therapy
    if (therapy.ended) continue
    const soon =
      therapy.due <= day + life.sync && day - therapy.lastSupply >= shortestGap(therapy.prescription?.days ?? 0)
    if (therapy.due <= day || soon) supply(life, therapy, day)
  }
  for (let i = therapies.length - 1; i >= 0; i--)
    if (therapies[i]?.ended) {
      therapies[i] = therapies[therapies.length - 1] as Therapy
      therapies.pop()
    }
}
