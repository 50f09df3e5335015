import { ActionIcon, TextInput } from '@mantine/core'
import { fakePatient } from '@pillar/contract/message/fake-patient-admin'
import { FAKE_LEVELS, FAKE_SEXES, newFakeId } from '@pillar/domain/message/fake-patient'
import type { Country } from '@pillar/domain/time/locale'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../../api/client.ts'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import { notLoaded } from '../../kit/display/Loaded.tsx'
import { SelectField, TextField } from '../../kit/form/fields.tsx'
import styles from './FakePatients.module.css'
import { fakeInput, fakeProblems, newFakeValues, reasonOptions } from './fake-patient-values.ts'

const LEVELS = FAKE_LEVELS.map((level) => ({ value: String(level), label: String(level) }))
const SEXES = [{ value: '', label: 'Not given' }, ...FAKE_SEXES.map((value) => ({ value, label: value }))]

interface FakePatientFormProps {
  pharmacy: { uuid: string; name: string; country: Country }
  onClose: () => void
}

/** Adds a fake patient. The numbers and addresses offered are those the support person has confirmed as their own. */
export function FakePatientForm({ pharmacy, onClose }: FakePatientFormProps) {
  const [initial] = useState(() => newFakeValues(newFakeId(Math.random())))
  const read = useRead(fakePatient.contacts, {})
  const own = read.data?.contacts.filter(({ confirmed }) => confirmed) ?? []
  const reachable = (wanted: 'sms' | 'email') => [
    { value: '', label: 'None' },
    ...own.filter(({ channel }) => channel === wanted).map(({ contact }) => ({ value: contact, label: contact })),
  ]
  return (
    <FormDialog
      size="M"
      words={{
        ...{ title: 'Add fake patient', button: 'Create', busy: 'Creating...', done: 'Fake patient added.' },
        what: 'the new fake patient',
      }}
      call={fakePatient.add}
      ask={`A fake patient of ${pharmacy.name}. They are left out of all figures and real campaigns.`}
      initial={initial}
      input={(values) => fakeInput(pharmacy.uuid, values)}
      check={fakeProblems}
      onClose={() => onClose()}
    >
      {(f) => {
        const id = f('id', 'ID')
        return (
          <div className={styles.fields}>
            <TextInput
              label="ID"
              name="id"
              disabled
              value={String(id.value)}
              error={id.error}
              description="Chosen at random from −1 to −999999."
              rightSectionPointerEvents="all"
              rightSection={
                <ActionIcon aria-label="Refresh the ID" onClick={() => id.onChange(newFakeId(Math.random()))}>
                  <Icon of={RefreshCw} />
                </ActionIcon>
              }
            />
            <SelectField {...f('sex', 'Sex')} description=" " options={SEXES} />
            <TextField {...f('first_name', 'First name')} maxLength={100} data-autofocus />
            <TextField {...f('last_name', 'Last name')} maxLength={100} />
            <SelectField
              {...f('mobile', 'Mobile')}
              description="Numbers you have confirmed as your own."
              failed={notLoaded('them', read)}
              options={reachable('sms')}
            />
            <SelectField
              {...f('email', 'Email')}
              description="Addresses you have confirmed as your own."
              failed={notLoaded('them', read)}
              options={reachable('email')}
            />
            <TextField {...f('age', 'Age')} inputMode="numeric" maxLength={3} />
            <TextField {...f('address', 'Address')} />
            {pharmacy.country === 'AU' ? (
              <>
                <TextField {...f('medicare', 'Medicare')} maxLength={20} />
                <TextField {...f('dva', 'DVA')} maxLength={20} />
              </>
            ) : null}
            <SelectField {...f('adherence_level', 'Adherence level')} options={LEVELS} />
            <SelectField {...f('loyalty_level', 'Loyalty level')} options={LEVELS} />
            <TextField {...f('leaked_scripts', 'Leaked scripts')} inputMode="numeric" maxLength={4} />
            <TextField {...f('total_scripts', 'Total scripts')} inputMode="numeric" maxLength={4} />
            <SelectField {...f('sms_nocontact_reason', 'SMS no-contact reason')} options={reasonOptions('sms')} />
            <SelectField {...f('email_nocontact_reason', 'Email no-contact reason')} options={reasonOptions('email')} />
          </div>
        )
      }}
    </FormDialog>
  )
}
