import { contract, type ReplyOf } from '@pillar/contract'
import type { User } from '@pillar/contract/access/user'
import { counted } from '@pillar/domain/text/sentence'
import { useState } from 'react'
import { useRead } from '../../api/client.ts'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import type { Bound } from '../../kit/dialog/useFormDialog.ts'
import { notLoaded } from '../../kit/display/Loaded.tsx'
import { MultiSelectField } from '../../kit/form/fields.tsx'
import { LookupField } from '../../kit/form/LookupField.tsx'
import { useCompanies } from '../company/company-options.ts'
import { LinkFailures } from './LinkFailures.tsx'
import { fullName } from './user-words.ts'

type Answer = ReplyOf<typeof contract.userLink.linkMany>

interface LinkDialogProps {
  users: readonly User[]
  /** Whether anything was linked. */
  onClose: (done: boolean) => void
}

/** Links one user or several to pharmacies of one company. It names links that failed; the rest are kept. */
export function LinkDialog({ users, onClose }: LinkDialogProps) {
  const [answer, setAnswer] = useState<Answer | null>(null)
  if (answer) return <LinkFailures answer={answer} onClose={() => onClose(answer.linked > 0)} />
  const [first] = users
  const who = users.length === 1 && first ? fullName(first) : counted(users.length, 'user', 'users')
  const name = 'Link Location'
  return (
    <FormDialog
      words={{ title: name, button: 'Link', busy: 'Linking...', done: '', what: 'the selection' }}
      call={contract.userLink.linkMany}
      ask={`${who} will get the notices of these locations.`}
      initial={{ company_id: first?.company.uuid ?? '', location_ids: [] as string[] }}
      input={({ location_ids }) => ({ login_ids: users.map(({ uuid }) => uuid), location_ids })}
      check={({ location_ids }) =>
        location_ids.length > 0 ? [] : [{ field: 'location_ids', words: 'select at least one location' }]
      }
      done={({ failed, message }) => (failed.length === 0 ? message : '')}
      onClose={(said) => (said && said.failed.length > 0 ? setAnswer(said) : onClose(said !== undefined))}
    >
      {(f, { company_id }) => {
        const company = f('company_id', 'Company')
        const chosen = f('location_ids', 'Locations')
        const change = (uuid: string) => {
          company.onChange(uuid)
          // Pharmacies selected from another company would be linked without being visible.
          chosen.onChange([])
        }
        return (
          <>
            <p>{who}</p>
            <LookupField {...company} onChange={change} first={first?.company.name ?? ''} useOptions={useCompanies} />
            <LocationsField field={chosen} company={company_id} />
          </>
        )
      }}
    </FormDialog>
  )
}

/** Selects several pharmacies of a company. */
function LocationsField({ field, company }: { field: Bound; company: string }) {
  const read = useRead(contract.company.locations, { id: company }, { enabled: company !== '' })
  const options = (read.data?.data ?? []).map(({ uuid, name, town }) => ({
    value: uuid,
    label: name,
    note: town ?? '',
  }))
  const reason =
    company === ''
      ? 'Choose a company first'
      : read.data && options.length === 0
        ? 'This company has no location yet'
        : undefined
  return (
    <MultiSelectField
      {...field}
      options={options}
      failed={notLoaded('its locations', read)}
      placeholder="Select locations"
      {...(reason === undefined ? {} : { disabledReason: reason })}
    />
  )
}
