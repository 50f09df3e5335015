import { contract } from '@pillar/contract'
import type { Company, CompanyLocation, CompanyUser } from '@pillar/contract/company-admin'
import { NO_VALUE } from '@pillar/domain/time/locale'
import { useRead } from '../../api/client.ts'
import { dayOf } from '../../kit/display/dates.ts'
import { Status, statusWord } from '../../kit/display/status.tsx'
import { Tag } from '../../kit/display/Tag.tsx'
import type { Column } from '../../kit/list/data-table.ts'
import { SubTable } from '../../kit/list/SubTable.tsx'
import { useCountry } from '../../session/session.ts'

/** What a company's row opens to: its pharmacies and its users. */
export function CompanyDetails({ company }: { company: Company }) {
  const country = useCountry()
  const locations = useRead(contract.company.locations, { id: company.uuid })
  const users = useRead(contract.company.users, { id: company.uuid })
  const pharmacy: readonly Column<CompanyLocation>[] = [
    { label: 'Name', cell: ({ name }) => name },
    { label: 'Address', cell: addressOf },
    {
      label: 'Modules',
      cell: ({ modules }) =>
        modules.length === 0
          ? NO_VALUE
          : modules.map(({ uuid, display_name }) => (
              <Tag key={uuid} tone="outline">
                {display_name}
              </Tag>
            )),
    },
    { label: 'Upload status', cell: ({ upload_status }) => <Status word={statusWord(upload_status)} /> },
    { label: 'Last upload', cell: (row) => dayOf(country, row.last_successful_upload_on) },
    {
      label: 'Queue',
      cell: (row) => (row.queue_items === 0 ? NO_VALUE : <Status word={statusWord(row.queue_status)} />),
    },
  ]
  return (
    <>
      <SubTable title="Pharmacies" read={locations} rows={locations.data?.data} id="uuid" columns={pharmacy} />
      <SubTable title="Users" read={users} rows={users.data?.data} id="uuid" columns={USER} />
    </>
  )
}

const USER: readonly Column<CompanyUser>[] = [
  { label: 'Name', cell: ({ person: { personal_information: it } }) => `${it.first_name} ${it.last_name}`.trim() },
  { label: 'Username', cell: ({ name }) => name },
  { label: 'Email', cell: ({ email }) => email },
]

const addressOf = ({ street_address, town, region, postcode }: CompanyLocation) =>
  [street_address, [town, region, postcode].filter(Boolean).join(' ')].filter(Boolean).join(', ') || NO_VALUE
