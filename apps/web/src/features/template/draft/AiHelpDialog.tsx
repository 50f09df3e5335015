import { template } from '@pillar/contract/template/template'
import type { Country } from '@pillar/domain/time/locale'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRead } from '../../../api/client.ts'
import type { DialogProps } from '../../../frame/dialog-address.ts'
import { Dialog } from '../../../kit/dialog/Dialog.tsx'
import { Icon } from '../../../kit/display/Icon.tsx'
import { useCountry } from '../../../session/session.ts'
import styles from './AiHelp.module.css'

/** What the prompt box does, what must stay out of it, and who is responsible for the text. */
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
            ? 'An AI service writes a first draft from your description.'
            : 'No AI service is set up. The prompt box offers starter drafts instead: texts written by people, for the category you choose.'}
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
        A text or an email for a group of patients. Say who it is for, why you are writing, and what they should do:
        “Remind people on blood pressure tablets that their repeat is due, friendly, one part.” Choose a category and
        subcategory to match the medicines.
      </p>
    ),
  },
  {
    question: 'What must I leave out?',
    answer: (
      <>
        <p>Anything that identifies a patient or describes one person:</p>
        <ul className={styles.points}>
          <li>names, addresses, phone numbers, email addresses</li>
          <li>
            dates of birth, <NumberNames />
          </li>
          <li>one person’s medicines, conditions or advice</li>
        </ul>
        <p>Write {'{First Name}'} where the name goes. Pillar fills it in when the message is sent.</p>
      </>
    ),
  },
  {
    question: 'What leaves Pillar?',
    answer: (
      <p>
        Your description, the category and subcategory, and whether it is a text or an email. Patient records, pharmacy
        figures and contact details stay in Pillar. Without an AI service, nothing leaves.
      </p>
    ),
  },
  {
    question: 'Is the draft sent automatically?',
    answer: (
      <p>
        No. Using a draft puts its text in the editor. Nothing is sent until someone activates a campaign with their
        password.
      </p>
    ),
  },
  {
    question: 'What should I check before sending?',
    answer: (
      <ul className={styles.points}>
        <li>It is true and suits everyone in the cohort.</li>
        <li>It makes no promises and names a medicine only when it has to.</li>
        <li>It says who it is from: {'{Pharmacy Name}'} must be in the message.</li>
        <li>How many parts it takes and how a real patient will see it. The preview shows both.</li>
        <li>Whether it is marketing. Only patients who agreed to marketing receive it.</li>
      </ul>
    ),
  },
  {
    question: 'What if the draft isn’t right?',
    answer: <p>Edit it, or ask again with more detail. Your own text stays until you use a draft.</p>,
  },
]

/** The numbers that identify a person, by the country's names for them. */
const NUMBERS: Readonly<Record<Country, string>> = {
  AU: 'Medicare, concession or script numbers',
  GB: 'NHS, exemption or prescription numbers',
  US: 'Social Security, insurance or prescription numbers',
}

function NumberNames() {
  return NUMBERS[useCountry()]
}
