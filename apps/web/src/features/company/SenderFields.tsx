import { deliversNames, SAMPLE_SENDERS, takesReplies } from '@pillar/domain/message/sms-sender'
import { COUNTRY_NAMES, type Country } from '@pillar/domain/time/locale'
import type { Bind } from '../../kit/dialog/useFormDialog.ts'
import { SwitchField, TextField } from '../../kit/form/fields.tsx'

export type SenderValues = {
  sms_sender: string
  sms_sender_registered: boolean
  sms_sender_registration: string
}

interface SenderFieldsProps {
  f: Bind<SenderValues>
  values: SenderValues
  country: Country
  /** The sender that applies without its own. */
  otherwise: string
}

/** The sender of texts: a name with its registration, or a number. */
export function SenderFields({ f, values, country, otherwise }: SenderFieldsProps) {
  const named = deliversNames(country) && values.sms_sender.trim() !== '' && !takesReplies(values.sms_sender)
  return (
    <>
      <TextField
        {...f('sms_sender', deliversNames(country) ? 'Sender name or number' : 'Sender number')}
        description={`${aboutSender(country)} If blank: ${otherwise}.`}
        maxLength={20}
      />
      {named ? (
        <>
          <SwitchField
            {...f('sms_sender_registered', 'The name is registered')}
            description="In Australia, phones show “Unverified” instead of a name that is not registered."
          />
          <TextField {...f('sms_sender_registration', 'Registration')} maxLength={60} />
        </>
      ) : null}
    </>
  )
}

const aboutSender = (country: Country) =>
  deliversNames(country)
    ? `A name of up to 11 letters, which patients cannot reply to, or a number such as ${SAMPLE_SENDERS[country]}.`
    : `A number such as ${SAMPLE_SENDERS[country]}, or a short code. No phone network in the ${COUNTRY_NAMES[country]} delivers texts from a name.`

/** A sender as form values. */
export const senderValues = (row: { [K in keyof SenderValues]: SenderValues[K] | null }): SenderValues => ({
  sms_sender: row.sms_sender ?? '',
  sms_sender_registered: row.sms_sender_registered ?? false,
  sms_sender_registration: row.sms_sender_registration ?? '',
})

/** A sender in the format of the calls. */
export const senderInput = (values: SenderValues) => ({
  sms_sender: values.sms_sender.trim() || null,
  sms_sender_registered: values.sms_sender_registered,
  sms_sender_registration: values.sms_sender_registration.trim() || null,
})
