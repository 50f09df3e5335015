import { contract } from '@pillar/contract'
import type { Module } from '@pillar/contract/company/module-admin'
import { AU_STATES, pharmacyProblems, townLabel } from '@pillar/domain/company/pharmacy'
import { STOCKTAKE_WARNING_DAYS } from '@pillar/domain/s8/stocktake'
import { type Country, LOCALES } from '@pillar/domain/time/locale'
import { DISPENSING_SYSTEMS } from '@pillar/domain/upload/data-source'
import { send, useRead } from '../../../api/client.ts'
import { FormDialog } from '../../../kit/dialog/FormDialog.tsx'
import { creating, editing } from '../../../kit/dialog/form-words.ts'
import { notLoaded } from '../../../kit/display/Loaded.tsx'
import { SelectField, SwitchField, TextField } from '../../../kit/form/fields.tsx'
import { COUNTRY_OPTIONS } from '../company-options.ts'
import { ModulesField } from './ModulesField.tsx'
import { PlaceField } from './PlaceField.tsx'
import { inputOf, type PharmacyRecord, type PharmacyValues, valuesOf } from './pharmacy-values.ts'
import { registerOf } from './pharmacy-words.ts'

const calls = contract.locationAdmin

interface PharmacyDialogProps {
  company: { uuid: string; country: Country }
  /** The pharmacy to edit; null for a new one. */
  pharmacy: PharmacyRecord | null
  /** Called with the pharmacy once it is saved, or without one when the person leaves. */
  onClose: (saved?: { uuid: string; name: string }) => void
}

/** A pharmacy of a company: its address, dispensing system, owner and modules. */
export function PharmacyDialog({ company, pharmacy, onClose }: PharmacyDialogProps) {
  const users = useRead(contract.company.users, { id: company.uuid })
  const modules = useRead(contract.moduleAdmin.list, {})
  const known = modules.data?.data ?? []
  const id = pharmacy?.uuid ?? ''
  return (
    <FormDialog
      words={pharmacy ? editing('pharmacy', 'Pharmacy Edited Successfully.') : CREATING}
      call={pharmacy ? calls.edit : calls.create}
      ask={pharmacy ? 'Messages that are sent from now on show its new name and address.' : 'It gets an upload key.'}
      initial={valuesOf(pharmacy, company.country)}
      input={(values) => ({ ...inputOf(values), id, company_id: company.uuid })}
      check={(values) => pharmacyProblems({ ...values, module_ids: draftsOf(values, known) })}
      latest={async () => valuesOf(await send(calls.info, { id }), company.country)}
      onClose={(answer) => onClose(answer)}
    >
      {(f, values) => (
        <>
          <TextField {...f('name', 'Name')} data-autofocus />
          {/* Only the company's country: a company's money is in one currency. */}
          <SelectField
            {...f('country', 'Country')}
            options={COUNTRY_OPTIONS.filter(({ value }) => value === values.country)}
          />
          <PlaceField country={values.country} f={f} />
          <TextField {...f('street_address', 'Street address')} />
          <TextField {...f('town', townLabel(values.country))} />
          {values.country === 'AU' ? <SelectField {...f('region', 'State')} options={STATE_OPTIONS} /> : null}
          {values.country === 'US' ? <TextField {...f('region', 'State')} maxLength={60} /> : null}
          <TextField
            {...f('postcode', LOCALES[values.country].postcodeName)}
            maxLength={12}
            inputMode={values.country === 'AU' ? 'numeric' : 'text'}
          />
          <TextField {...f('phone_number', 'Phone')} maxLength={40} />
          <SelectField {...f('data_source', 'Data source')} options={sourceOptions(pharmacy?.data_source)} />
          <SelectField
            {...f('owner', 'Owner')}
            failed={notLoaded('the company’s users', users)}
            options={ownerOptions(users.data?.data ?? [], pharmacy?.owner)}
          />
          <ModulesField {...f('module_ids', 'Modules')} modules={known} failed={notLoaded('the modules', modules)} />
          <TextField
            {...f('s8_stocktake_warning_days', 'Stocktake warning, days')}
            description={`A product of the ${registerOf(values.country)} is overdue when its last count is older. If blank: ${STOCKTAKE_WARNING_DAYS} days.`}
            inputMode="numeric"
            maxLength={3}
          />
          <SwitchField {...f('beta', 'Beta')} description="Shows this pharmacy features that are still being tested." />
          {values.country === 'AU' ? <SwitchField {...f('no_guild_consent', 'No guild consent')} /> : null}
        </>
      )}
    </FormDialog>
  )
}

const CREATING = creating('pharmacy', 'Pharmacy Created Successfully')
const STATE_OPTIONS = [{ value: '', label: 'Select' }, ...AU_STATES.map((value) => ({ value, label: value }))]

/** The configured sources, plus the pharmacy's own if it is another. */
function sourceOptions(own: string | null | undefined) {
  const listed = DISPENSING_SYSTEMS.map(({ key, name }) => ({ value: key as string, label: name as string }))
  const other = own && listed.every(({ value }) => value !== own) ? [{ value: own, label: own }] : []
  return [{ value: '', label: 'Not known yet' }, ...listed, ...other]
}

interface User {
  uuid: string
  person: { personal_information: { first_name: string; last_name: string } }
}

function ownerOptions(users: readonly User[], own: { uuid: string; name: string } | null | undefined) {
  const listed = users.map(({ uuid, person: { personal_information: it } }) => ({
    value: uuid,
    label: `${it.first_name} ${it.last_name}`.trim(),
  }))
  const other = own && listed.every(({ value }) => value !== own.uuid) ? [{ value: own.uuid, label: own.name }] : []
  return [{ value: '', label: 'Nobody' }, ...listed, ...other]
}

const draftsOf = ({ module_ids }: PharmacyValues, known: readonly Module[]) =>
  module_ids.map(({ module_id, external_id }) => {
    const module = known.find(({ uuid }) => uuid === module_id)
    return {
      display_name: module?.display_name ?? 'the module',
      needs_external_id: module?.needs_external_id ?? false,
      external_id: external_id ?? '',
    }
  })
