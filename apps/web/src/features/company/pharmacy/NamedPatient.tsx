import type { Problem } from '@pillar/domain/text/sentence'
import type { Bind } from '../../../kit/dialog/useFormDialog.ts'
import { TextField } from '../../../kit/form/fields.tsx'

/** How support names a patient they never see: by what a request or a complaint says. */
type Named = { number: string; last_name: string }

/** What is missing of the two. */
export const namedProblems = ({ number, last_name }: Named): Problem<keyof Named>[] => [
  ...(number.trim() === '' ? [{ field: 'number' as const, words: 'enter the patient’s number' }] : []),
  ...(last_name.trim() === '' ? [{ field: 'last_name' as const, words: 'enter the last name' }] : []),
]

/** The two fields, of a patient of the pharmacy with this name. */
export function NamedPatient({ f, pharmacy }: { f: Bind<Named>; pharmacy: string }) {
  return (
    <>
      <TextField
        {...f('number', 'Patient number')}
        maxLength={200}
        description={`As the dispensing system of ${pharmacy} has it.`}
        data-autofocus
      />
      <TextField {...f('last_name', 'Last name')} maxLength={200} description="To be sure it is the right person." />
    </>
  )
}
