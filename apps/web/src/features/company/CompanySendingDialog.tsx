import { contract } from '@pillar/contract'
import type { Company } from '@pillar/contract/company/company-admin'
import type { CompanySending } from '@pillar/contract/message/sending-admin'
import { senderProblems } from '@pillar/domain/message/sms-sender'
import { day as dayOf } from '@pillar/domain/time/day'
import { formatDate } from '@pillar/domain/time/locale'
import { send, useRead } from '../../api/client.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { Failed, Loading } from '../../kit/display/states.tsx'
import { SendingRulesFields } from '../sending/SendingRulesFields.tsx'
import { problemsOf, rulesOf, valuesOf } from '../sending/sending-rules.ts'
import { SenderFields, senderInput, senderValues } from './SenderFields.tsx'

const calls = contract.sendingAdmin

/** Whom a company's texts come from, at what hours they go, and how many one person gets. */
export function CompanySendingDialog({ company, onClose }: { company: Company; onClose: () => void }) {
  const read = useRead(calls.ofCompany, { id: company.uuid }, { staleTime: 0 })
  const title = `Sending rules: ${company.name}`
  if (read.data) return <SendingForm company={company} title={title} rules={read.data} onClose={onClose} />
  return (
    <Dialog opened onClose={onClose} title={title} size="M">
      {read.error ? (
        <Failed title="Could not load the sending rules" error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <Loading rows={6} />
      )}
    </Dialog>
  )
}

interface SendingFormProps {
  company: Company
  title: string
  rules: CompanySending
  onClose: () => void
}

const formOf = (rules: CompanySending) => ({ ...valuesOf(rules), ...senderValues(rules) })

function SendingForm({ company, title, rules, onClose }: SendingFormProps) {
  const id = company.uuid
  return (
    <FormDialog
      size="M"
      words={{ title, button: 'Save', busy: 'Saving...', done: 'Sending rules saved', what: 'the sending rules' }}
      call={calls.saveCompany}
      ask={{
        title: `Save the sending rules of ${company.name}?`,
        consequence: 'They apply to every campaign, and to messages that are queued but not yet sent.',
        button: 'Save rules',
      }}
      initial={formOf(rules)}
      input={(values) => ({ ...rulesOf(values), ...senderInput(values), id })}
      check={(values) => [...senderProblems(values), ...problemsOf(values)]}
      latest={async () => formOf(await send(calls.ofCompany, { id }))}
      onClose={() => onClose()}
    >
      {(f, values) => (
        <>
          <SenderFields f={f} values={values} otherwise="the sender of this installation" />
          <SendingRulesFields
            f={f}
            values={values}
            holidaysTo={rules.holidays_to && formatDate(company.country, dayOf(rules.holidays_to))}
          />
        </>
      )}
    </FormDialog>
  )
}
