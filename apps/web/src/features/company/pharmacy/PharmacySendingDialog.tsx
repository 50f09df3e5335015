import { contract } from '@pillar/contract'
import type { PharmacySending } from '@pillar/contract/message/sending-admin'
import { senderProblems } from '@pillar/domain/message/sms-sender'
import { day as dayOf } from '@pillar/domain/time/day'
import { type Country, formatDate } from '@pillar/domain/time/locale'
import { send, useRead } from '../../../api/client.ts'
import { FormDialog } from '../../../kit/dialog/FormDialog.tsx'
import { ReadDialog } from '../../../kit/dialog/ReadDialog.tsx'
import { SwitchField } from '../../../kit/form/fields.tsx'
import { CapFields, HourFields } from '../../sending/SendingRulesFields.tsx'
import { capText, problemsOf, rulesOf, valuesOf } from '../../sending/sending-rules.ts'
import { SenderFields, senderInput, senderValues } from '../SenderFields.tsx'
import { saving, titleOf } from '../sending-words.ts'
import type { LocationDialog } from './location-dialog.ts'

const calls = contract.sendingAdmin

/** The sender of a pharmacy's texts, and its own rules that replace the company's. */
export function PharmacySendingDialog({ location, onClose }: LocationDialog) {
  const read = useRead(calls.ofPharmacy, { id: location.uuid }, { staleTime: 0 })
  return (
    <ReadDialog title={titleOf(location.name)} read={read} what="the sending rules" onClose={onClose}>
      {(rules) => <SendingForm location={location} rules={rules} onClose={onClose} />}
    </ReadDialog>
  )
}

/** Anything the pharmacy lacks starts with the company's value, in case it is switched on. */
function formOf({ company, week, holidays_quiet, cap_messages, cap_hours, version, ...sender }: PharmacySending) {
  const hours = week ? { week, holidays_quiet: holidays_quiet ?? true } : {}
  const cap = cap_messages && cap_hours ? { cap_messages, cap_hours } : {}
  return {
    ...valuesOf({ ...company, ...hours, ...cap, version }),
    ...senderValues(sender),
    own_hours: week !== null,
    own_cap: cap_messages !== null,
  }
}
type FormValues = ReturnType<typeof formOf>

function inputOf(values: FormValues) {
  const { cap_messages, cap_hours, week, holidays_quiet, version } = rulesOf(values)
  return {
    ...senderInput(values),
    ...(values.own_hours ? { week, holidays_quiet } : { week: null, holidays_quiet: null }),
    ...(values.own_cap ? { cap_messages, cap_hours } : { cap_messages: null, cap_hours: null }),
    version,
  }
}

const OF_CAP = ['cap_messages', 'span', 'unit']

/** Only what is switched on is checked. */
const wrongIn = (values: FormValues) =>
  problemsOf(values).filter(({ field }) => (OF_CAP.includes(field) ? values.own_cap : values.own_hours))

interface SendingFormProps extends Omit<LocationDialog, 'company'> {
  rules: PharmacySending
}

function SendingForm({ location, rules, onClose }: SendingFormProps) {
  const { uuid: id, country } = location
  const { company } = rules
  return (
    <FormDialog
      {...saving(location.name)}
      call={calls.savePharmacy}
      initial={formOf(rules)}
      input={(values) => ({ ...inputOf(values), id })}
      check={(values) => [...senderProblems(values, country), ...wrongIn(values)]}
      latest={async () => formOf(await send(calls.ofPharmacy, { id }))}
      onClose={() => onClose()}
    >
      {(f, values) => (
        <>
          <SenderFields
            f={f}
            values={values}
            country={country}
            otherwise={company.sms_sender ?? 'the company’s, which is the installation’s'}
          />
          <SwitchField {...f('own_hours', 'Use its own hours')} description="They replace the company’s hours." />
          {values.own_hours ? (
            <HourFields
              f={f}
              values={values}
              holidaysTo={holidaysTo(country, company.holidays_to)}
              about="In the pharmacy’s local time. Other messages wait until sending resumes."
            />
          ) : null}
          <SwitchField
            {...f('own_cap', 'Use its own frequency limit')}
            description={`Applies as well as the company’s limit, whichever is stricter: at most ${capText(company)}.`}
          />
          {values.own_cap ? (
            <CapFields
              f={f}
              values={values}
              holidaysTo={null}
              about="How often this pharmacy may message one person. Messages of the company’s other pharmacies count."
            />
          ) : null}
        </>
      )}
    </FormDialog>
  )
}

const holidaysTo = (country: Country, day: string | null) => day && formatDate(country, dayOf(day))
