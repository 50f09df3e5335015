import { template } from '@pillar/contract/template'
import type { Country } from '@pillar/domain/locale'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRead } from '../../api/client.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import { useCountry } from '../../session/session.ts'
import type { DialogProps } from './dialogs.tsx'
import styles from './Explained.module.css'

/** What the prompt box does, what must stay out of it, and who answers for the text. */
export function AiHelpDialog({ close }: Pick<DialogProps, 'close'>) {
  const groups = useRead(template.groups, {})
  const ai = groups.data?.ai ?? null
  return (
    <Dialog opened onClose={close} title="AI help" size="M">
      <p className={styles.note}>
        <Icon of={TriangleAlert} /> Leave out anything that identifies a patient, and review every text before it is
        sent.
      </p>
      {ai === null ? null : (
        <p>
          {ai
            ? 'This installation has an AI service: it writes a first draft from your words.'
            : 'This installation has no AI service. The prompt box offers starter drafts instead: ready texts written by people, chosen by your words.'}
        </p>
      )}
      {QUESTIONS.map(({ question, answer }) => (
        <details key={question} className={styles.question}>
          <summary>{question}</summary>
          {answer}
        </details>
      ))}
    </Dialog>
  )
}

const QUESTIONS: readonly { question: string; answer: ReactNode }[] = [
  {
    question: 'What can I ask for?',
    answer: (
      <p>
        A text or an e-mail for a group of patients. Say who it is for, why you write, and what they should do: “Remind
        people on blood pressure tablets that their repeat is due, friendly, one part.” A category and a subcategory
        make the draft fit the medicines.
      </p>
    ),
  },
  {
    question: 'What must I leave out?',
    answer: (
      <>
        <p>Anything that identifies a patient or tells about one person:</p>
        <ul className={styles.points}>
          <li>names, addresses, telephone numbers, e-mail addresses</li>
          <li>
            dates of birth, <NumberNames />
          </li>
          <li>what one person takes, has or was told</li>
        </ul>
        <p>Write {'{First Name}'} where a name belongs. It is filled in here, when the message goes out.</p>
      </>
    ),
  },
  {
    question: 'What leaves Pillar?',
    answer: (
      <p>
        Your words, the category and subcategory, and whether it is a text or an e-mail. No patient record, no
        pharmacy’s figures and no contact detail. Where no AI service is set up, nothing leaves at all.
      </p>
    ),
  },
  {
    question: 'Is the draft sent by itself?',
    answer: (
      <p>
        No. A draft is only text in the editor: editing it takes you back to the message, and nothing goes out before
        somebody activates a campaign with their password.
      </p>
    ),
  },
  {
    question: 'What do I check before sending?',
    answer: (
      <ul className={styles.points}>
        <li>It is true, and it is right for everybody in the cohort.</li>
        <li>It promises nothing and names no medicine that it need not name.</li>
        <li>It says who writes: {'{Pharmacy Name}'} must be in the body.</li>
        <li>How many parts it takes, and what a real patient gets to read: the preview shows both.</li>
        <li>Whether it is marketing. Then only those who agreed to marketing get it.</li>
      </ul>
    ),
  },
  {
    question: 'The draft is not good. What now?',
    answer: (
      <p>
        Change it in the editor, or ask again with more detail. What you had written before stays until you insert a
        draft.
      </p>
    ),
  },
]

/** The numbers that single out a person, as the country calls them. */
const NUMBERS: Readonly<Record<Country, string>> = {
  AU: 'Medicare, concession or script numbers',
  GB: 'NHS, exemption or prescription numbers',
  US: 'Social Security, insurance or prescription numbers',
}

function NumberNames() {
  return NUMBERS[useCountry()]
}
