import { createHash } from 'node:crypto'
import { componentsOf, isAtc, moleculeOf } from '../molecule.ts'
import type { JsonObject } from './line/json.ts'
import { firstOf, listAt, textAt } from './resource.ts'

interface Coding {
  /** Short name of the code system; its address if Pillar has none. */
  system: string
  code: string
  display: string
  selected: boolean
}

/** Code systems by their address without protocol and "www.". */
const SYSTEMS: Readonly<Record<string, string>> = {
  'snomed.info/sct': 'snomed',
  'dmd.nhs.uk': 'dmd',
  'hl7.org/fhir/sid/ndc': 'ndc',
  'nlm.nih.gov/research/umls/rxnorm': 'rxnorm',
  'pbs.gov.au/code/item': 'pbs',
  'whocc.no/atc': 'atc',
  'urn:oid:2.16.840.1.113883.6.73': 'atc',
}
/** Systems whose codes say that nothing is known. */
const ABSENT = /terminology\.hl7\.org\/codesystem\/(?:data-absent-reason|v3-nullflavor)$/
/** The order in which codings identify a product: those of packages and products, then any other, and last the group. */
const ORDER = ['snomed', 'dmd', 'ndc', 'rxnorm', 'pbs', 'other', 'atc']

const systemOf = (address: string): string => {
  const plain = address
    .toLowerCase()
    .replace(/^https?:\/\/(?:www\.)?/, '')
    .replace(/\/$/, '')
  // An edition or version of SNOMED CT follows its address.
  return SYSTEMS[plain.startsWith('snomed.info/sct/') ? 'snomed.info/sct' : plain] ?? plain
}

const rank = ({ system, selected }: Coding) =>
  selected ? -1 : ORDER.indexOf(ORDER.includes(system) ? system : 'other')

function codingsOf(concept: JsonObject, path: string): Coding[] {
  return listAt(concept, 'coding', `${path}.coding`)
    .map((one, at) => ({
      system: systemOf(textAt(one, 'system', `${path}.coding[${at}].system`)),
      code: textAt(one, 'code', `${path}.coding[${at}].code`),
      display: textAt(one, 'display', `${path}.coding[${at}].display`),
      selected: one.userSelected === true,
    }))
    .filter(({ system }) => !ABSENT.test(system))
}

/** What a CodeableConcept says about a medicine. */
export interface Medicine {
  /** Identifies the product among those without a Medication resource; empty if the concept names nothing. */
  id: string
  name: string
  /** Ingredients joined by " + ", if the name alone does not tell them. */
  molecule: string
  atc: string
  pbs: string
}

const MAX_NAME = 200
/**
 * How many names of one product are searched for its ingredients, and how much of each: the search takes time proportional to the square of
 * the length.
 */
const MOST_DISPLAYS = 20
const MAX_DISPLAY = 500

/** The first few names of codings, each cut to the length that is searched. */
export const displaysOf = (texts: readonly string[]): string[] =>
  texts
    .filter((text) => text !== '')
    .slice(0, MOST_DISPLAYS)
    .map((text) => text.slice(0, MAX_DISPLAY))

/**
 * The medicine of a CodeableConcept. Only ATC codes place a medicine by themselves; for any other coding the text and the displays are
 * looked up in the list of ingredients.
 * @param ingredients as the resource lists them, joined by " + "; empty if it does not
 */
export function medicineOf(concept: JsonObject, path: string, ingredients = ''): Medicine {
  const codings = codingsOf(concept, path)
  const coded = codings.filter(({ code }) => code !== '').sort((a, b) => rank(a) - rank(b))
  const text = textAt(concept, 'text', `${path}.text`)
  const [first] = coded
  const all = codings.sort((a, b) => rank(a) - rank(b)).map(({ display }) => display)
  const displays = displaysOf(all)
  const known = firstOf(text, all.find((display) => display !== '') ?? '')
  const id = first ? shortId(`${first.system || 'code'} ${first.code}`) : textId(known)
  const atc = coded.find(({ system, code }) => system === 'atc' && isAtc(code))?.code.toUpperCase() ?? ''
  // Names of many ingredients are longer than any label; the ingredients come first.
  const name = (known || (first ? `Unnamed medicine (${first.system || 'code'} ${first.code})` : '')).slice(0, MAX_NAME)
  return {
    id,
    name,
    molecule: ingredients || moleculeText(name, atc, displays),
    atc,
    pbs: coded.find(({ system }) => system === 'pbs')?.code ?? '',
  }
}

/** The id of a product without a code: it has a blank, which ids of resources never contain. Empty for no name. */
export const textId = (name: string) => (name === '' ? '' : shortId(`text ${name.toLowerCase()}`))

/** An id of at most 200 characters: a longer one ends in a digest of the whole. */
const shortId = (id: string) =>
  id.length <= MAX_NAME ? id : `${id.slice(0, 150)} ${createHash('sha256').update(id).digest('hex').slice(0, 32)}`

/** Ingredients from another name of the product, or from the brackets of a brand, if its own name does not tell them. */
function moleculeText(name: string, atc: string, displays: readonly string[]): string {
  if (name === '' || isPlaced(name, '', atc)) return ''
  const bracketed = displays
    .concat(name)
    .flatMap((text) =>
      [...text.matchAll(/\(([^()]+)\)/g)].map(([, inner = '']) => inner.split(/\s*[/+]\s*/).join(' + ')),
    )
  const found = [...displays, ...bracketed].find((text) => text !== '' && isPlaced(text, '', ''))
  return found === undefined ? '' : componentsOf(found).join(' + ').slice(0, MAX_NAME)
}

/** Whether a product has a place in the drug list: an ATC code, its own or by its ingredients. */
export function isPlaced(name: string, molecule: string, atc: string): boolean {
  return moleculeOf({ name, molecule, atc }).atc !== null
}
