import { day, formatDay } from '@pillar/domain/time/day'
import type { Piece, Row } from './upload-world.ts'

/** The columns with a place in FHIR R4; anything else in a canonical upload cannot be expressed in it. */
const COLUMNS = {
  patients: 'patient_id,first_name,last_name,sex,date_of_birth,address,suburb,state,postcode,mobile,email,deceased_on',
  prescribers: 'prescriber_id,name,number,specialty,postcode',
  drugs: 'drug_id,pbs_code,name,molecule,strength,form,pack_size,atc',
  prescriptions: 'prescription_id,patient_id,drug_id,prescriber_id,prescribed_on,repeats_authorised',
  scripts:
    'script_id,dispensed_on,patient_id,prescriber_id,drug_id,prescription_id,units,supply_number,repeats_authorised,deferred,owing,reversed,directions,days_supply',
} as const
type FhirSet = keyof typeof COLUMNS

/** Products that every dispense describes itself, by a code, instead of referring to a Medication. */
const INLINE = new Set(['D2', 'D5', 'D7'])
const inlineId = (drug: string) => `snomed 9${drug.slice(1)}011000036100`

/**
 * The same uploads as far as FHIR can express them: with all its columns and no others, and with products that dispenses describe
 * themselves in every upload that uses them.
 * @param drugs each product's row at the end of the world
 */
export function sayable(pieces: readonly Piece[], drugs: ReadonlyMap<string, Row>): Piece[] {
  return pieces.map((piece) => {
    const rowsOf = (set: FhirSet) => (piece.files[set]?.rows ?? []).map((row) => row)
    const used = new Set([...rowsOf('scripts'), ...rowsOf('prescriptions')].map((row) => row.drug_id ?? ''))
    const inline = [...used].filter((id) => INLINE.has(id)).map((id) => drugs.get(id) as Row)
    const rows: Record<FhirSet, Row[]> = {
      patients: rowsOf('patients'),
      prescribers: rowsOf('prescribers'),
      drugs: [...rowsOf('drugs').filter((row) => !INLINE.has(row.drug_id ?? '')), ...inline].map(renamed),
      prescriptions: rowsOf('prescriptions').map(renamed),
      scripts: rowsOf('scripts').map((row) => renamed(plainScript(row))),
    }
    const files = Object.fromEntries(
      (Object.keys(COLUMNS) as FhirSet[])
        .filter((set) => piece.files[set] || rows[set].length > 0)
        .map((set) => [set, { columns: COLUMNS[set].split(','), rows: rows[set] }]),
    )
    return { ...piece, files }
  })
}

const renamed = (row: Row): Row =>
  INLINE.has(row.drug_id ?? '') ? { ...row, drug_id: inlineId(row.drug_id ?? '') } : row

/** A dispense has one status, and names the prescriber only if it contains the request itself. */
function plainScript(row: Row): Row {
  const own: Row = row.prescription_id ? { prescriber_id: '', repeats_authorised: '' } : {}
  return { ...row, ...own, deferred: row.reversed ? '' : (row.deferred ?? '') }
}

/** One upload as NDJSON files. The dice decide how references and times are written. */
export function resourcesOf(piece: Piece, dice: (sides: number) => number): Record<string, string> {
  const rowsOf = (set: FhirSet) => piece.files[set]?.rows ?? []
  const drugs = new Map(rowsOf('drugs').map((row) => [row.drug_id ?? '', row]))
  const writer = new Writer(drugs, dice)
  const files: Record<string, object[]> = {
    Patient: rowsOf('patients').map((row) => writer.patient(row)),
    Practitioner: rowsOf('prescribers').map((row) => writer.practitioner(row)),
    Medication: rowsOf('drugs')
      .filter((row) => !row.drug_id?.includes(' '))
      .map((row) => ({ ...writer.medication(row), id: row.drug_id })),
    MedicationRequest: rowsOf('prescriptions').map((row) => writer.request(row)),
    MedicationDispense: rowsOf('scripts').map((row) => writer.dispense(row)),
  }
  const sent: Record<string, FhirSet> = {
    Patient: 'patients',
    Practitioner: 'prescribers',
    Medication: 'drugs',
    MedicationRequest: 'prescriptions',
    MedicationDispense: 'scripts',
  }
  return Object.fromEntries(
    Object.entries(files)
      .filter(([name]) => piece.files[sent[name] as FhirSet])
      .map(([name, list]) => [name, list.map((one) => `${JSON.stringify(one)}\n`).join('')]),
  )
}

const present = (key: string, value: unknown) => (value === '' || value === undefined ? {} : { [key]: value })
const numeric = (text: string | undefined) => (text ? Number(text) : undefined)

class Writer {
  readonly #drugs: ReadonlyMap<string, Row>
  readonly #dice: (sides: number) => number

  constructor(drugs: ReadonlyMap<string, Row>, dice: (sides: number) => number) {
    this.#drugs = drugs
    this.#dice = dice
  }

  #reference(type: string, id: string): object {
    const forms = [
      `${type}/${id}`,
      `https://ehr.example/fhir/${type}/${id}`,
      `urn:uuid:${id}`,
      `${type}/${id}/_history/3`,
    ]
    return { reference: forms[this.#dice(forms.length)] }
  }

  /** The day as a date, or as an instant of that day in Sydney, written with one offset or another. */
  #time(text: string | undefined): string {
    if (!text) return ''
    const yesterday = formatDay(day(text) - 1)
    const forms = [
      text,
      `${text}T00:30:00Z`,
      `${text}T12:59:59.123Z`,
      `${yesterday}T16:10:00Z`,
      `${text}T09:05:00+11:00`,
      `${yesterday}T20:00:00-05:00`,
    ]
    return forms[this.#dice(forms.length)] as string
  }

  patient(row: Row): object {
    return {
      resourceType: 'Patient',
      id: row.patient_id,
      ...present('gender', { F: 'female', M: 'male' }[row.sex ?? ''] ?? (this.#dice(2) ? 'unknown' : '')),
      ...present('birthDate', row.date_of_birth),
      ...(row.postcode
        ? {
            address: [
              { use: 'old', postalCode: '9999' },
              { use: 'home', postalCode: row.postcode },
            ],
          }
        : {}),
      ...(row.deceased_on ? { deceasedDateTime: this.#time(row.deceased_on) } : { deceasedBoolean: false }),
    }
  }

  practitioner(row: Row): object {
    return { resourceType: 'Practitioner', id: row.prescriber_id, name: [{ family: row.name }] }
  }

  medication(row: Row): object {
    const coding = [
      ...(row.atc ? [{ system: 'http://www.whocc.no/atc', code: row.atc }] : []),
      ...(row.pbs_code ? [{ system: 'http://pbs.gov.au/code/item', code: row.pbs_code }] : []),
      ...(row.drug_id?.includes(' ') ? [{ system: 'http://snomed.info/sct', code: row.drug_id.split(' ')[1] }] : []),
    ]
    const ingredients = row.molecule ? row.molecule.split(' + ') : []
    return {
      resourceType: 'Medication',
      code: { coding, text: row.name },
      ingredient: ingredients.map((text) => ({ itemCodeableConcept: { text } })),
      ...(row.pack_size
        ? { amount: { numerator: { value: Number(row.pack_size), unit: 'TAB' }, denominator: { value: 1 } } }
        : {}),
    }
  }

  #medicine(row: Row): object {
    const id = row.drug_id ?? ''
    if (!id.includes(' ')) return { medicationReference: this.#reference('Medication', id) }
    return {
      contained: [{ ...this.medication(this.#drugs.get(id) as Row), id: 'product' }],
      medicationReference: { reference: '#product' },
    }
  }

  request(row: Row): object {
    return {
      resourceType: 'MedicationRequest',
      id: row.prescription_id,
      status: 'active',
      intent: this.#dice(2) ? 'order' : 'original-order',
      subject: this.#reference('Patient', row.patient_id ?? ''),
      ...this.#medicine(row),
      ...present('authoredOn', this.#time(row.prescribed_on)),
      ...(row.prescriber_id ? { requester: this.#reference('Practitioner', row.prescriber_id) } : {}),
      ...(row.repeats_authorised
        ? { dispenseRequest: { numberOfRepeatsAllowed: Number(row.repeats_authorised) } }
        : {}),
    }
  }

  dispense(row: Row): object {
    const medicine = this.#medicine(row) as { contained?: object[] }
    const request = this.#contained(row)
    const status = row.reversed
      ? ['cancelled', 'entered-in-error', 'stopped', 'declined']
      : row.deferred
        ? ['on-hold', 'in-progress', 'preparation', 'unknown']
        : ['completed']
    const prescription = row.prescription_id
      ? this.#reference('MedicationRequest', row.prescription_id)
      : request && { reference: '#rx' }
    return {
      resourceType: 'MedicationDispense',
      id: row.script_id,
      status: status[this.#dice(status.length)],
      subject: this.#reference('Patient', row.patient_id ?? ''),
      ...medicine,
      ...(request ? { contained: [...(medicine.contained ?? []), request] } : {}),
      ...(prescription ? { authorizingPrescription: [prescription] } : {}),
      [this.#dice(3) ? 'whenHandedOver' : 'whenPrepared']: this.#time(row.dispensed_on),
      ...(row.units ? { quantity: { value: Number(row.units), ...(this.#dice(2) ? { unit: 'tablets' } : {}) } } : {}),
      ...(row.days_supply ? { daysSupply: this.#days(Number(row.days_supply)) } : {}),
      ...(row.owing
        ? { type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'SO' }] } }
        : {}),
      ...(row.directions ? { dosageInstruction: [{ text: row.directions }] } : {}),
      ...(row.supply_number
        ? {
            extension: [
              {
                url: 'http://hl7.org.au/fhir/StructureDefinition/dispense-number',
                valueInteger: numeric(row.supply_number),
              },
            ],
          }
        : {}),
    }
  }

  #days(value: number): object {
    if (value % 7 === 0 && this.#dice(2)) return { value: value / 7, unit: 'weeks', code: 'wk' }
    return this.#dice(2) ? { value, unit: 'days', system: 'http://unitsofmeasure.org', code: 'd' } : { value }
  }

  /** The request of a dispense whose prescription has no id of its own. */
  #contained(row: Row): object | null {
    if (row.prescription_id || !(row.prescriber_id || row.repeats_authorised)) return null
    return {
      resourceType: 'MedicationRequest',
      id: 'rx',
      ...(row.prescriber_id ? { requester: this.#reference('Practitioner', row.prescriber_id) } : {}),
      ...(row.repeats_authorised
        ? { dispenseRequest: { numberOfRepeatsAllowed: Number(row.repeats_authorised) } }
        : {}),
    }
  }
}
