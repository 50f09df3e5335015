import { contract } from '@pillar/contract'
import type { Company } from '@pillar/contract/company/company-admin'
import type { CompanySending } from '@pillar/contract/message/sending-admin'
import { senderProblems } from '@pillar/domain/message/sms-sender'
import { day as dayOf } from '@pillar/domain/time/day'
import { formatDate } from '@pillar/domain/time/locale'
import { send, useRead } from '../../api/client.ts'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { ReadDialog } from '../../kit/dialog/ReadDialog.tsx'
import { SendingRulesFields } from '../sending/SendingRulesFields.tsx'
import { problemsOf, rulesOf, valuesOf } from '../sending/sending-rules.ts'
import { SenderFields, senderInput, senderValues } from './SenderFields.tsx'
import { saving, titleOf } from './sending-words.ts'

const calls = contract.sendingAdmin

/** The sender of a company's texts, their hours, and how many one person gets. */
export function CompanySendingDialog({ company, onClose }: { company: Company; onClose: () => void }) {
  const read = useRead(calls.ofCompany, { id: company.uuid }, { staleTime: 0 })
  return (
    <ReadDialog title={titleOf(company.name)} read={read} what="the sending rules" onClose={onClose}>
      {(rules) => <SendingForm company={company} rules={rules} onClose={onClose} />}
    </ReadDialog>
  )
}

interface SendingFormProps {
  company: Company
  rules: CompanySending
  onClose: () => void
}

const formOf = (rules: CompanySending) => ({ ...valuesOf(rules), ...senderValues(rules) })

function SendingForm({ company, rules, onClose }: SendingFormProps) {
  const id = company.uuid
  return (
    <FormDialog
      {...saving(company.name)}
      call={calls.saveCompany}
      initial={formOf(rules)}
      input={(values) => ({ ...rulesOf(values), ...senderInput(values), id })}
      check={(values) => [...senderProblems(values, company.country), ...problemsOf(values)]}
      latest={async () => formOf(await send(calls.ofCompany, { id }))}
      onClose={() => onClose()}
    >
      {(f, values) => (
        <>
          <SenderFields f={f} values={values} country={company.country} otherwise="the sender of this installation" />
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
