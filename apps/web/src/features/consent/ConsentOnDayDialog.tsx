import { contract } from '@pillar/contract'
import type { CompanyLocation } from '@pillar/contract/company/company-admin'
import { reasonProblems } from '@pillar/domain/message/batch-status'
import { useState } from 'react'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { DayField, TextField } from '../../kit/form/fields.tsx'
import { NamedPatient, namedProblems } from '../company/pharmacy/NamedPatient.tsx'
import { type ConsentAsked, type ConsentFound, ConsentOnDay } from './ConsentOnDay.tsx'

const EMPTY: ConsentAsked = { number: '', last_name: '', day: '', reason: '' }

interface ConsentOnDayDialogProps {
  pharmacy: CompanyLocation
  onClose: () => void
}

/** What a patient had agreed to on a day. Support sees no list of patients, and types the details in the complaint and the reason. */
export function ConsentOnDayDialog({ pharmacy, onClose }: ConsentOnDayDialogProps) {
  const [found, setFound] = useState<{ asked: ConsentAsked; answer: ConsentFound } | null>(null)
  if (found) return <ConsentOnDay pharmacy={pharmacy} {...found} onClose={onClose} />
  return (
    <FormDialog
      words={{
        ...{ title: 'Consent on a day', button: 'Look it up…', busy: 'Looking it up...', done: '' },
        what: 'what you typed',
      }}
      call={contract.consentAdmin.asOf}
      ask={{
        title: `Look up the consent of a patient of ${pharmacy.name}?`,
        consequence: 'The company sees in its activity log that Pillar support looked it up, when, and your reason.',
        button: 'Look it up',
      }}
      initial={EMPTY}
      input={(values) => ({ id: pharmacy.uuid, ...values })}
      check={({ number, last_name, day, reason }) => [
        ...namedProblems({ number, last_name }),
        ...(day === '' ? [{ field: 'day' as const, words: 'enter the day' }] : []),
        ...reasonProblems(reason),
      ]}
      onClose={(answer, asked) => (answer && asked ? setFound({ asked, answer }) : onClose())}
    >
      {(f) => (
        <>
          <p className="muted">
            Shows what a patient had agreed to, in which words, and what was sent in the 30 days before. Each pharmacy
            keeps its own consent. People who were erased cannot be found: only the wording of their forms is kept,
            without their name.
          </p>
          <NamedPatient f={f} pharmacy={pharmacy.name} />
          <DayField {...f('day', 'Day')} description="Consent at the end of this day, in the pharmacy’s local time." />
          <TextField
            {...f('reason', 'Reason')}
            maxLength={300}
            placeholder="Ticket 1190"
            description="Stored for good in the audit and in the company’s activity log: leave the name out."
          />
        </>
      )}
    </FormDialog>
  )
}
