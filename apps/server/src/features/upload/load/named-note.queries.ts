import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/database.ts'
import type { Findings } from '../read/fault.ts'
import type { Target } from './load.queries.ts'

/** What people note in a patient's name because their dispensing system has no better place, or they did not find it. */
interface NamedNote {
  /** Where it belongs. */
  readonly column: 'deceased_on' | 'facility' | 'sms_opt_out' | 'email_opt_out'
  readonly words: string
  /** When a staged row `s` does not say it yet, and what then does. */
  readonly lacks: RawBuilder<boolean>
  readonly set: (today: string) => RawBuilder<unknown>
  /** Follows "Patients whose name says". */
  readonly said: string
}

const NOT = String.raw`\m(do not|don['’]?t|no|never) `
const NO_MESSAGES = String.raw`${NOT}(contact|message|marketing)|\mdnc\M|\mopt(ed)?[ -]?out\M`
/** Either name first: 'CASH SALE' and 'SALE, CASH'. "Sale", "Bagg" and "Ward" alone are surnames. */
const ACCOUNT = [
  String.raw`\m(cash|counter|shop|retail|casual|otc|walk[ -]?in)[ ,-]+(sales?|customers?|patients?)\M`,
  String.raw`\m(sales?|customers?)[ ,-]+(cash|counter|casual|otc|walk[ -]?in)\M|\mover[ -]the[ -]counter\M`,
  String.raw`\m(doctor|dr)['’]?s?['’]? bag\M|\mbag[ ,-]+(doctor|dr)['’]?s?\M|\mimprest\M|\mward stock\M`,
].join('|')
const ANIMAL = String.raw`[(*[]\s*(dog|cat|horse|bird|rabbit|pet|animal)\M|\m(canine|feline|equine)\M`
const NOTES: readonly NamedNote[] = [
  {
    column: 'deceased_on',
    // 'DECEASED', "DEC'D", '(DEC)', '*RIP*', 'Estate of the late'.
    words: String.raw`\mdeceased\M|\mdec['’]?d\M|\mpassed away\M|\mestate of\M|[(*[]\s*(dec|late|r\.?i\.?p)\.?\s*[])*]`,
    lacks: sql<boolean>`s.deceased_on is null`,
    // As where a source knows no day.
    set: (today) => sql`deceased_on = ${today}::date, death_date_unknown = true`,
    said: 'that they have died, who count as dead from the day that was first read',
  },
  {
    // As those in care facilities: what they are dispensed counts, and nobody's adherence or messages.
    column: 'facility',
    words: `${ACCOUNT}|${ANIMAL}`,
    lacks: sql<boolean>`s.facility is not true`,
    set: () => sql`facility = true`,
    said: 'that they are an animal or an account for many people, which are left out of adherence and of messages',
  },
  {
    column: 'sms_opt_out',
    words: `${NO_MESSAGES}|${NOT}(sms|txt|text)`,
    lacks: sql<boolean>`s.sms_opt_out is not true`,
    set: () => sql`sms_opt_out = true`,
    said: 'that they want no texts, who get none',
  },
  {
    column: 'email_opt_out',
    words: `${NO_MESSAGES}|${NOT}e-?mail`,
    lacks: sql<boolean>`s.email_opt_out is not true`,
    set: () => sql`email_opt_out = true`,
    said: 'that they want no emails, who get none',
  },
]

/**
 * Takes notes in staged patients' names for what they say: a message to the dead reaches those they left. The pharmacy's next file whose
 * column and name say otherwise takes it back; a file without the column leaves it as it is.
 * @returns the columns that the staged patients now have
 */
export async function takeNamedNotes(
  tx: Tx,
  { locationId, source }: Target,
  present: ReadonlySet<string>,
  findings: Findings,
  today: string,
): Promise<ReadonlySet<string>> {
  const columns = new Set(present)
  const takeStored = (name: string) => {
    const own = sql.ref(name)
    return sql`
      update stage_patients s set ${own} = t.${own} from patient t
      where t.location_id = ${locationId} and t.source = ${source} and t.source_id = s.patient_id and s.${own} is null`.execute(
      tx,
    )
  }
  // A file without names says nothing new of them: what is noted in the stored ones still counts.
  for (const name of ['first_name', 'last_name'].filter((one) => !present.has(one))) await takeStored(name)
  for (const { column, words, lacks, set, said } of NOTES) {
    const { numAffectedRows = 0n } = await sql`
      update stage_patients s set ${set(today)}
      where ${lacks} and concat_ws(' ', s.first_name, s.last_name) ~* ${sql.lit(words)} and not s.faulty`.execute(tx)
    if (numAffectedRows === 0n) continue
    findings.notes.push(`Patients whose name says ${said}: ${numAffectedRows}.`)
    if (columns.has(column)) continue
    await takeStored(column)
    columns.add(column)
  }
  return columns
}
