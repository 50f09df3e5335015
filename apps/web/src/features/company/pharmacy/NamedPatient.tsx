import type { Problem } from '@pillar/domain/text/sentence'
import type { Bind } from '../../../kit/dialog/useFormDialog.ts'
import { TextField } from '../../../kit/form/fields.tsx'

/** How support identifies a patient they never see: by the details in a request or a complaint. */
type Named = { number: string; last_name: string }

/** Which of the two is missing. */
export const namedProblems = ({ number, last_name }: Named): Problem<keyof Named>[] => [
  ...(number.trim() === '' ? [{ field: 'number' as const, words: 'enter the patient’s number' }] : []),
  ...(last_name.trim() === '' ? [{ field: 'last_name' as const, words: 'enter the last name' }] : []),
]

/** The two fields that identify a patient of the named pharmacy. */
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
