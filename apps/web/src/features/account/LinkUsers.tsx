import { Button } from '@mantine/core'
import { contract, type ReplyOf } from '@pillar/contract'
import type { User } from '@pillar/contract/access/user'
import type { Company } from '@pillar/contract/company/company-admin'
import { joined } from '@pillar/domain/text/sentence'
import { NO_VALUE } from '@pillar/domain/time/locale'
import { Link2, Pencil } from 'lucide-react'
import { useState } from 'react'
import { send, useRead, useWrite } from '../../api/client.ts'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import { Loaded } from '../../kit/display/Loaded.tsx'
import { MultiSelectField } from '../../kit/form/fields.tsx'
import { MultiSelect } from '../../kit/form/MultiSelect.tsx'
import { start } from '../../kit/list/acts.tsx'
import { SubTable } from '../../kit/list/SubTable.tsx'
import { LinkFailures } from '../user/LinkFailures.tsx'
import { fullName } from '../user/user-words.ts'
import { useDraft } from './useDraft.ts'

type Answer = ReplyOf<typeof contract.userLink.linkMany>

/** Links users of a company to its pharmacies: several to several at once, or the complete list of one user. */
export function LinkUsers({ company }: { company: Company }) {
  const id = company.uuid
  const users = useRead(contract.company.users, { id })
  const locations = useRead(contract.company.locations, { id })
  const links = useRead(contract.company.loginLocations, { id })
  const [edited, setEdited] = useState<User | null>(null)
  const unread = [users, locations, links].find(({ data }) => data === undefined)
  if (unread)
    return (
      <Loaded<unknown> read={unread} what="the users and their locations">
        {() => null}
      </Loaded>
    )
  const places = (locations.data?.data ?? []).map(({ uuid, name, town }) => ({
    value: uuid,
    label: name,
    note: town ?? '',
  }))
  const linkedTo = (user: User) => links.data?.data.find(({ uuid }) => uuid === user.uuid)?.locations ?? []
  // The list replaces all existing links. An outdated one would remove links that somebody else has made since.
  const edit = async (user: User) => {
    const reads = await Promise.all([locations.refetch(), links.refetch()])
    for (const { error } of reads) if (error) throw error
    setEdited(user)
  }
  const namesOf = (user: User) => {
    const linked = new Set(linkedTo(user))
    return places.filter(({ value }) => linked.has(value)).map(({ label }) => label)
  }
  return (
    <>
      <LinkForm company={id} users={users.data?.data ?? []} places={places} />
      <SubTable
        title="Linked locations"
        read={users}
        rows={users.data?.data}
        id="uuid"
        columns={[
          { label: 'User', cell: fullName },
          { label: 'Locations', cell: (user) => joined(namesOf(user)) || NO_VALUE },
        ]}
        nameOf={fullName}
        menu={(user) => [{ label: 'Change locations', icon: Pencil, run: () => edit(user) }]}
      />
      {edited ? (
        <SyncDialog
          user={edited}
          company={company}
          places={places}
          linked={linkedTo(edited)}
          onClose={() => setEdited(null)}
        />
      ) : null}
    </>
  )
}

type Places = readonly { value: string; label: string; note: string }[]

interface LinkFormProps {
  company: string
  users: readonly User[]
  places: Places
}

function LinkForm({ company, users, places }: LinkFormProps) {
  const people = users.map((user) => ({ value: user.uuid, label: fullName(user), note: user.name }))
  const [keptUsers, setUsers] = useDraft(company, 'users')
  const [keptLocations, setLocations] = useDraft(company, 'locations')
  const login_ids = stillThere(keptUsers, people)
  const location_ids = stillThere(keptLocations, places)
  const [answer, setAnswer] = useState<Answer | null>(null)
  const link = useWrite(contract.userLink.linkMany, {
    ask: {
      title: 'Link these users?',
      consequence: 'Each selected user will get the notices of each selected location.',
      button: 'Link users',
    },
    done: ({ failed }) => (failed.length === 0 ? 'Locations Linked Successfully' : ''),
  })
  const missing =
    users.length === 0
      ? 'Create a user first.'
      : places.length === 0
        ? 'Create a pharmacy first.'
        : login_ids.length === 0 || location_ids.length === 0
          ? 'Select users and locations first.'
          : ''
  const submit = async () => {
    const said = await link.mutateAsync({ login_ids, location_ids })
    if (!said) return
    setUsers(null)
    setLocations(null)
    if (said.failed.length > 0) setAnswer(said)
  }
  return (
    <>
      <MultiSelect label="Users" placeholder="Select users" options={people} value={login_ids} onChange={setUsers} />
      <MultiSelect
        label="Locations"
        placeholder="Select locations"
        options={places}
        value={location_ids}
        onChange={setLocations}
      />
      <div>
        <Button
          size="xs"
          leftSection={<Icon of={Link2} size={14} />}
          disabled={missing !== ''}
          loading={link.isPending}
          onClick={() => start({ run: submit })}
        >
          Link Users
        </Button>{' '}
        <span className="muted">{missing}</span>
      </div>
      {answer ? <LinkFailures answer={answer} onClose={() => setAnswer(null)} /> : null}
    </>
  )
}

/** The selected ids that still exist; one removed in the meantime is not sent. */
const stillThere = (ids: readonly string[] | null, options: readonly { value: string }[]) =>
  (ids ?? []).filter((id) => options.some(({ value }) => value === id))

interface SyncDialogProps {
  user: User
  company: Company
  places: Places
  linked: readonly string[]
  onClose: () => void
}

/** The locations, and as their version the links that they were made from. */
const valuesOf = (linked: readonly string[]) => ({ location_ids: [...linked], version: linked.join(' ') })

/** One user's complete list of pharmacies within the company. */
function SyncDialog({ user, company, places, linked, onClose }: SyncDialogProps) {
  return (
    <FormDialog
      words={{
        ...{ title: 'Change locations', button: 'Update', busy: 'Updating...', what: 'these locations' },
        done: 'Locations Linked Successfully',
      }}
      call={contract.userLink.sync}
      ask={`${fullName(user)} will be linked to these locations of ${company.name} and to no others.`}
      initial={valuesOf(linked)}
      input={({ location_ids, version }) => ({
        ...{ userId: user.uuid, company_id: company.uuid, location_ids },
        linked_before: version.split(' ').filter(Boolean),
      })}
      latest={async () => {
        const { data } = await send(contract.company.loginLocations, { id: company.uuid })
        return valuesOf(data.find(({ uuid }) => uuid === user.uuid)?.locations ?? [])
      }}
      onClose={onClose}
    >
      {(f) => (
        <>
          <p>{fullName(user)}</p>
          <MultiSelectField {...f('location_ids', 'Locations')} options={places} placeholder="No location" />
        </>
      )}
    </FormDialog>
  )
}
