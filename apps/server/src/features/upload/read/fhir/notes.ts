import type { Feed } from '../source-profile.ts'
import { NO_SUPPLY } from './dispense.ts'
import { type FhirState, listed } from './state.ts'

type Report = ReturnType<FhirState['report']>

const many = (count: number, one: string, more: string) => `${count} ${count === 1 ? one : more}`

/** What to tell a pharmacy about a file that was read, as one note: what was left out, completed, or has no place. */
export function notesOf(file: string, feed: Feed, report: Report): string[] {
  const notes = feed.set === 'drugs' ? productNotes(report) : rowNotes(report)
  return notes.length === 0 ? [] : [`${file}: ${notes.join(' ')}`]
}

function productNotes({ count, names }: Report): string[] {
  const unplaced = names('unplaced')
  if (unplaced.length === 0) return []
  return [
    `${unplaced.length} of ${many(count('product'), 'product has', 'products have')} no ATC code and no name that the list of ingredients knows, so they count as Unclassified: ${listed(unplaced)}.`,
  ]
}

function rowNotes({ count, names }: Report): string[] {
  const statuses = NO_SUPPLY.map((status) => [status, count(status)] as const).filter(([, n]) => n > 0)
  const none = statuses.reduce((sum, [, n]) => sum + n, 0)
  const locations = names('location')
  const kept = names('kept')
  const sentences: [number, string][] = [
    [
      none,
      `${many(none, 'dispense is', 'dispenses are')} no supply by status (${statuses.map(([status, n]) => `${n} ${status}`).join(', ')}).`,
    ],
    [
      count('bare'),
      `${count('bare')} of these had no usable date, patient or medicine and ${count('bare') === 1 ? 'was' : 'were'} left out; any supply stored under the same id was deleted.`,
    ],
    [
      count('packs'),
      `${many(count('packs'), 'dispense counts', 'dispenses count')} in packs, by weight or in a unit that is not understood, so the units supplied are unknown.`,
    ],
    [
      count('unnumbered'),
      `${count('unnumbered')} of ${count('supply')} supplies do not say which repeat they are (extension dispense-number, or a type of first fill): where such a repeat was supplied elsewhere, nothing shows it, so loyalty may be too high; it is 100% where none says it.`,
    ],
    [
      count('unclear dose'),
      `${count('unclear dose')} of ${count('supply')} supplies state a dose or timing from which no days’ supply follows (a dose in mg, say, or a timing that is not plain): their days come from the pack, else are taken to be 30.`,
    ],
    [
      count('long directions'),
      `${many(count('long directions'), 'dispense has', 'dispenses have')} directions of more than 400 characters, which are left out; where daysSupply is missing too, the days come from the pack, else are taken to be 30.`,
    ],
    [
      count('prescriptions'),
      `${many(count('prescriptions'), 'dispense names', 'dispenses name')} several prescriptions; the first of each counts.`,
    ],
    [
      count('ambiguous'),
      `${many(count('ambiguous'), 'dispense names', 'dispenses name')} a prescription by an identifier that several requests have, and counts without it: name it as MedicationRequest/123.`,
    ],
    [
      locations.length > 1 ? 1 : 0,
      `The dispenses name ${locations.length} locations (${listed(locations)}); all were loaded for this pharmacy.`,
    ],
    [
      count('no order'),
      `${many(count('no order'), 'request is', 'requests are')} no prescription (a draft, proposal, plan, error or "do not take") and left out.`,
    ],
    [
      count('authored'),
      `${many(count('authored'), 'request says', 'requests say')} only the year or month ${count('authored') === 1 ? 'it was' : 'they were'} written in, so ${count('authored') === 1 ? 'its' : 'their'} day is unknown.`,
    ],
    [
      count('prescriber'),
      `${many(count('prescriber'), 'request names', 'requests name')} a prescriber who cannot be found.`,
    ],
    [
      count('birth'),
      `${many(count('birth'), 'date of birth lacks', 'dates of birth lack')} the day or month; 1 July or the first of the month was taken.`,
    ],
    [
      count('death'),
      `${many(count('death'), 'death has', 'deaths have')} no date; the day stored before was kept, else the day the record was last changed was taken.`,
    ],
    [
      kept.length,
      `${many(kept.length, 'deletion', 'deletions')} left out (${listed(kept)}): only dispenses are deleted.`,
    ],
    [
      count('replaced'),
      `${many(count('replaced'), 'patient is', 'patients are')} marked as replaced by another; their supplies stay with them.`,
    ],
  ]
  return sentences.filter(([n]) => n > 0).map(([, sentence]) => sentence)
}
