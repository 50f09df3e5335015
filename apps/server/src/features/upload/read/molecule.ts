import { chronicByAtc, conditionOf, drugTypeOf } from '@pillar/domain/dispensing/category'
import { capital } from '@pillar/domain/text/sentence'
import { inOrder, moleculeNames as reference, WHOLE_ATC } from '../../metrics/molecule-names.ts'

export interface Molecule {
  /**
   * Five-level ATC code, with the ingredients if the reference list lacks it; otherwise 'name:', the ingredients and a partial code.
   * Determines everything else.
   */
  key: string
  /** For display: first letter capital, combinations joined by ' + '. */
  name: string
  /** As many levels as known. */
  atc: string | null
  components: string[]
  chronic: boolean
  drugType: string
  condition: string
}

export interface DrugFacts {
  name: string
  /** Active ingredients joined by ' + '; empty if the source does not say. */
  molecule: string
  atc: string
}

const ANY_ATC = /^[A-Z](?:\d{2}(?:[A-Z](?:[A-Z](?:\d{2})?)?)?)?$/

/** Other names of molecules in the reference list: American ones, and those of RxNorm, dm+d and the ATC. */
const SYNONYMS: Readonly<Record<string, string>> = {
  acetaminophen: 'paracetamol',
  'acetylsalicylic acid': 'aspirin',
  albuterol: 'salbutamol',
  'alendronic acid': 'alendronate',
  cephalexin: 'cefalexin',
  chlorthalidone: 'chlortalidone',
  'cholestyramine resin': 'colestyramine',
  'cromoglicic acid': 'cromoglycate',
  cyclosporine: 'ciclosporin',
  divalproex: 'valproate',
  epinephrine: 'adrenaline',
  'fusidic acid': 'fusidate',
  glyburide: 'glibenclamide',
  'ibandronic acid': 'ibandronate',
  indomethacin: 'indometacin',
  'insulin isophane, human': 'insulin isophane human',
  'insulin, regular, human': 'insulin neutral human',
  isoproterenol: 'isoprenaline',
  leucovorin: 'folinic acid',
  meperidine: 'pethidine',
  mesalamine: 'mesalazine',
  methimazole: 'thiamazole',
  metoprolol: 'metoprolol tartrate',
  'mycophenolic acid': 'mycophenolate',
  nitroglycerin: 'glyceryl trinitrate',
  'penicillin v': 'phenoxymethylpenicillin',
  rifampin: 'rifampicin',
  'risedronic acid': 'risedronate',
  'sodium valproate': 'valproate',
  sultiame: 'sulthiame',
  torsemide: 'torasemide',
  ursodiol: 'ursodeoxycholic acid',
  'valproic acid': 'valproate',
}

/** Salts and esters to remove from a name when finding its molecule. */
const SALTS = new Set(
  (
    'hydrochloride hcl dihydrochloride hydrobromide sodium disodium potassium calcium magnesium tartrate bitartrate maleate fumarate ' +
    'chloride phosphate sulfate sulphate acetate citrate succinate besylate besilate mesylate mesilate tosylate nitrate mononitrate ' +
    'medoxomil cilexetil axetil erbumine arginine monohydrate dihydrate trihydrate anhydrous hemihydrate valerate enanthate ' +
    'propionate dipropionate furoate pamoate lactate gluconate bromide hyclate mofetil etexilate xinafoate proxetil oxalate propanediol'
  ).split(' '),
)

/** Whether a text is an ATC code of any level. */
export function isAtc(text: string): boolean {
  return ANY_ATC.test(text.toUpperCase())
}

/**
 * The molecule of a drug: by its ATC code if that has all five levels, otherwise by its ingredients, otherwise by its product name without
 * strength, form and salt, looked up in the reference list of names.
 */
export function moleculeOf(drug: DrugFacts): Molecule {
  const given = isAtc(drug.atc) ? drug.atc.toUpperCase() : ''
  const components = componentsOf(drug.molecule || drug.name)
  const found = reference.atcOf.get(inOrder(components)) ?? ''
  const atc = WHOLE_ATC.test(given) || given.length > found.length ? given : found
  const known = WHOLE_ATC.test(atc) ? reference.nameOf.get(atc) : undefined
  const name = known ?? inOrder(components)
  return {
    key: known === undefined ? keyOutside(atc, found, name) : atc,
    name: capital(name),
    atc: atc || null,
    components: name.split(' + '),
    chronic: chronicByAtc(atc),
    drugType: drugTypeOf(atc),
    condition: conditionOf(atc),
  }
}

/**
 * The key of a molecule missing from the reference list. All pharmacies share molecules, and the first stored row of a key decides for all,
 * so everything that defines a molecule outside the list is in its key.
 */
function keyOutside(atc: string, found: string, name: string): string {
  if (WHOLE_ATC.test(atc)) return `${atc} ${name}`
  return atc === found ? `name:${name}` : `name:${name} ${atc}`
}

/** Ingredients in a text such as 'Glyburide 2.5 MG / Metformin hydrochloride 500 MG Oral Tablet [Brand]'. */
export function componentsOf(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replace(/\(&\)/g, ' & ')
    .replace(/\[[^\]]*\]|\([^)]*\)/g, ' ')
    .replace(/^\s*(?:\d+(?:\.\d+)? (?:hr|ml|actuat|mg|g|unt)\b\s*)+/, '')
  const names = plain
    .split(/\s+[/+&]\s+/)
    .map(ingredient)
    .filter((name) => name !== '')
  const distinct = [...new Set(names)]
  return distinct.length > 0 ? distinct : [text.trim().toLowerCase()]
}

function ingredient(part: string): string {
  const words = part
    .replace(/\s\d.*$/, '')
    .replace(/, usp$/, '')
    .trim()
    .split(/\s+/)
  for (let kept = words.length; kept > 0; kept--) {
    const name = words.slice(0, kept).join(' ')
    const known = SYNONYMS[name] ?? name
    if (reference.atcOf.has(known)) return known
    // Only a salt may be removed: 'insulin glargine' is not 'insulin'.
    if (!SALTS.has(words[kept - 1] ?? '')) return kept === words.length ? (SYNONYMS[name] ?? name) : known
  }
  return words.join(' ')
}
