import { contract } from '@pillar/contract'
import { FormDialog } from '../../../kit/dialog/FormDialog.tsx'
import { TextField } from '../../../kit/form/fields.tsx'
import type { LocationDialog } from './location-dialog.ts'
import { NamedPatient, namedProblems } from './NamedPatient.tsx'
import { registerOf } from './pharmacy-words.ts'

const CONSEQUENCE =
  'Their name, contacts, birth date, messages, replies and directions are removed for good, at every pharmacy of the company that has the same person. Nobody can bring them back, and they are never texted or emailed again.'

/** Erases a patient who asked for it. Support sees nothing about the person, and types what the request says. */
export function ErasePatientDialog({ company, location, onClose }: LocationDialog) {
  return (
    <FormDialog
      words={{
        ...{ title: 'Erase a patient', button: 'Erase…', busy: 'Erasing...', done: 'Patient erased' },
        what: 'what you typed',
      }}
      call={contract.erasure.erasePatient}
      ask={({ number, last_name }) => ({
        title: `Erase patient ${number.trim()}, ${last_name.trim()}, of ${location.name} for good?`,
        ...{ consequence: CONSEQUENCE, button: 'Erase for good', danger: true },
      })}
      initial={{ number: '', last_name: '', reason: '' }}
      input={(values) => ({ id: company, location_id: location.uuid, ...values })}
      check={({ number, last_name, reason }) => [
        ...namedProblems({ number, last_name }),
        ...(reason.trim() === '' ? [{ field: 'reason' as const, words: 'enter a reason' }] : []),
      ]}
      done={({ records, held }) => {
        const erased = records === 1 ? 'Patient erased' : `Patient erased, ${records} records`
        return held === 0 ? erased : `${erased}. Entries of the ${registerOf(location.country)} kept by law: ${held}`
      }}
      onClose={() => onClose()}
    >
      {(f) => (
        <>
          <p className="muted">
            What was dispensed stays counted without the person, and entries of the {registerOf(location.country)} are
            kept by law. Backups still hold the person until they expire; when one is restored, the person is erased
            again. Files waiting to be loaded are removed after loading. Ask the pharmacy to correct its own dispensing
            system too.
          </p>
          <NamedPatient f={f} pharmacy={location.name} />
          <TextField
            {...f('reason', 'Reason')}
            maxLength={300}
            description="Stored for good in the audit and in the company’s activity log: leave the name out."
          />
        </>
      )}
    </FormDialog>
  )
}
