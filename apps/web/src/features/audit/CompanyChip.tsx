import { Popover } from '@mantine/core'
import { contract } from '@pillar/contract'
import { useState } from 'react'
import { useRead } from '../../api/client.ts'
import { LookupField } from '../../kit/form/LookupField.tsx'
import { Chip } from '../../kit/list/chip/Chip.tsx'
import { useListState } from '../../kit/list/useListState.ts'
import { useCompanies } from '../company/company-options.ts'

/** Picks the company whose log is shown, out of thousands. */
export function CompanyChip() {
  const { state, change } = useListState<{ company?: string }>()
  const [opened, setOpened] = useState(false)
  const { company = '' } = state
  const info = useRead(contract.company.info, { id: company }, { enabled: company !== '' })
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus returnFocus withinPortal closeOnEscape>
      <Popover.Target>
        <Chip
          label="Company"
          value={
            company &&
            (info.data?.name ??
              (info.error ? (info.error.status === 404 ? 'Removed company' : 'Name not loaded') : '…'))
          }
          opens
          aria-expanded={opened}
          onClick={() => setOpened((was) => !was)}
          onRemove={() => change({ company: undefined })}
        />
      </Popover.Target>
      <Popover.Dropdown w={320} data-mantine-stop-propagation="true">
        <LookupField
          name="company"
          label="Company"
          value={company}
          onChange={(picked: string) => {
            change({ company: picked })
            if (picked) setOpened(false)
          }}
          first={info.data?.name}
          useOptions={useCompanies}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
