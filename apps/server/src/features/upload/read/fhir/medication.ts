import { displaysOf, isPlaced, type Medicine, medicineOf, textId } from './concept.ts'
import type { JsonObject } from './line/json.ts'
import { suppliedUnits } from './quantity.ts'
import { containedIn, pointerOf, rememberIdentifiers } from './reference.ts'
import { digits, extensionOf, firstOf, listAt, numberAt, objectAt, PathFault, textAt } from './resource.ts'
import type { FhirContext } from './state.ts'

/** Canonical columns of one row, as text. */
export type Values = Readonly<Record<string, string>>

/** Marks a row of which only the id is known: whatever is stored under it is removed. */
export const REMOVED = 'removed'

const EXTENSION = 'http://hl7.org.au/fhir/StructureDefinition'

/** Where the columns of a product are in a Medication. */
export const MEDICATION_PATHS = {
  drug_id: 'id',
  pbs_code: 'code.coding',
  name: 'code',
  molecule: 'ingredient',
  strength: 'ingredient.strength',
  form: 'form',
  pack_size: 'amount.numerator',
  atc: 'code.coding',
} as const

/** A Medication as a product of the drug file. @throws PathFault if it names nothing */
export function drugOfMedication(resource: JsonObject, { state }: FhirContext): Values {
  const id = textAt(resource, 'id')
  rememberIdentifiers(resource, id, state)
  const found = factsOf(resource, resource)
  const medicine = { ...found.medicine, name: found.medicine.name || 'Unnamed medicine' }
  if (found.medicine.id === '')
    throw new PathFault('code', '', 'names no medicine: give code.text, or code.coding with a code or display')
  notePlace(medicine, state)
  return { ...found.more, ...drugRow(id, medicine) }
}

function drugRow(id: string, { name, molecule, atc, pbs }: Medicine): Values {
  return { drug_id: id, pbs_code: pbs, name, molecule, atc }
}

function notePlace({ name, molecule, atc }: Medicine, state: FhirContext['state']): void {
  state.count('product')
  if (!isPlaced(name, molecule, atc)) state.name('unplaced', name)
}

/** @param container the resource whose contained resources the product refers to */
function factsOf(medication: JsonObject, container: JsonObject): { medicine: Medicine; more: Values } {
  const ingredients = listAt(medication, 'ingredient').filter((one) => one.isActive !== false)
  const generic = extensionOf(medication, `${EXTENSION}/medication-generic-name`)
  const names = ingredients
    .map((one, at) => ingredientOf(one, `ingredient[${at}]`, container))
    .filter((name) => name !== '')
  const molecule = names.join(' + ') || (generic ? textAt(generic, 'valueString', 'extension.valueString') : '')
  const code = objectAt(medication, 'code') ?? {}
  const medicine = medicineOf(code, 'code', molecule.slice(0, 200))
  const strength = extensionOf(medication, `${EXTENSION}/medication-strength`)
  return {
    // A product named only by its ingredients takes them as its name.
    medicine: medicine.name === '' ? { ...medicine, id: textId(molecule), name: molecule.slice(0, 200) } : medicine,
    more: {
      strength: firstOf(
        strength ? textAt(strength, 'valueString', 'extension.valueString') : '',
        ingredients
          .map((one, at) => strengthOf(one, at))
          .filter((text) => text !== '')
          .join(' + '),
      ),
      form: nameOf(objectAt(medication, 'form'), 'form'),
      pack_size: packSize(objectAt(medication, 'amount')),
    },
  }
}

const nameOf = (concept: JsonObject | null, path: string): string =>
  concept === null
    ? ''
    : firstOf(
        textAt(concept, 'text', `${path}.text`),
        ...displaysOf(
          listAt(concept, 'coding', `${path}.coding`).map((one) => textAt(one, 'display', `${path}.coding.display`)),
        ),
      )

/** The name of an ingredient: from its concept, from the contained Substance or Medication it refers to, or from the reference's own display. */
function ingredientOf(ingredient: JsonObject, path: string, container: JsonObject): string {
  const name = nameOf(
    objectAt(ingredient, 'itemCodeableConcept', `${path}.itemCodeableConcept`),
    `${path}.itemCodeableConcept`,
  )
  const reference = objectAt(ingredient, 'itemReference', `${path}.itemReference`)
  if (name !== '' || !reference) return name
  const within = containedIn(container, reference)
  const display = textAt(reference, 'display', `${path}.itemReference.display`)
  return firstOf(within ? nameOf(objectAt(within, 'code', 'contained.code'), 'contained.code') : '', display)
}

/** Such as '40 mg' or '5 mg/mL'. */
function strengthOf(ingredient: JsonObject, at: number): string {
  const path = `ingredient[${at}].strength`
  const strength = objectAt(ingredient, 'strength', path)
  if (!strength) return ''
  const [numerator, denominator] = ['numerator', 'denominator'].map((key) => {
    const part = objectAt(strength, key, `${path}.${key}`)
    const value = part && numberAt(part, 'value', `${path}.${key}.value`)
    const unit = part
      ? firstOf(textAt(part, 'unit', `${path}.${key}.unit`), textAt(part, 'code', `${path}.${key}.code`))
      : ''
    return { value, unit }
  })
  if (!numerator || numerator.value === null) return ''
  const per = denominator?.unit && /^m?l$/i.test(denominator.unit) ? denominator : null
  const perText = per ? `/${per.value === 1 || per.value === null ? '' : `${digits(per.value)} `}${per.unit}` : ''
  return `${digits(numerator.value)} ${numerator.unit}${perText}`.trim()
}

/** Units in a pack, if whole and counted or a volume; empty for anything else, and for an amount per several packs. */
function packSize(amount: JsonObject | null): string {
  if (!amount) return ''
  const denominator = objectAt(amount, 'denominator', 'amount.denominator')
  const per = denominator && numberAt(denominator, 'value', 'amount.denominator.value')
  const units = suppliedUnits(amount, 'numerator', 'amount.numerator') ?? ''
  return /^\d+$/.test(units) && (per === null || per === 1) ? units : ''
}

/** The product of a dispense or request: a Medication by its id, or a concept by its code. */
interface Named {
  id: string
  /** The product itself, if the resource describes it instead of referring to a Medication. */
  inline: { medicine: Medicine; more: Values } | null
}

/** The product of a resource with medication[x]. @throws PathFault if it names none */
export function medicationOf(resource: JsonObject, { state }: FhirContext): Named {
  const concept = objectAt(resource, 'medicationCodeableConcept')
  if (concept) {
    const medicine = medicineOf(concept, 'medicationCodeableConcept')
    return inlineOf(medicine, {}, 'medicationCodeableConcept')
  }
  const reference = objectAt(resource, 'medicationReference')
  const pointer =
    reference && pointerOf(reference, 'medicationReference', { container: resource, type: 'Medication', state })
  if (!reference || !pointer)
    throw new PathFault(
      'medicationCodeableConcept',
      '',
      'is missing: a medicine is named by medicationCodeableConcept (a code or a text) or by medicationReference',
    )
  if (pointer.type !== 'Medication' && pointer.type !== '')
    throw new PathFault('medicationReference.reference', `${pointer.type}/${pointer.id}`, 'is not a Medication')
  if (!pointer.contained) return { id: pointer.id, inline: null }
  const { medicine, more } = factsOf(pointer.contained, resource)
  return inlineOf(medicine, more, `contained (#${pointer.id}).code`)
}

function inlineOf(medicine: Medicine, more: Values, path: string): Named {
  if (medicine.id === '')
    throw new PathFault(path, '', 'names no medicine: give a text, or a coding with a code or display')
  return { id: medicine.id, inline: { medicine, more } }
}

/** The product a dispense or request describes itself, for the drug file; null if it refers to one, or described it before. */
export function drugOfUse(resource: JsonObject, context: FhirContext): Values | null {
  const { id, inline } = medicationOf(resource, context)
  if (!inline) return null
  const row = { strength: '', form: '', pack_size: '', ...inline.more, ...drugRow(id, inline.medicine) }
  if (context.state.knowsDrug(id, JSON.stringify(row))) return null
  notePlace(inline.medicine, context.state)
  return row
}
