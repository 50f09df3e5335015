import { Popover } from '@mantine/core'
import { contract } from '@pillar/contract'
import { useState } from 'react'
import { useRead } from '../../api/client.ts'
import { LookupField } from '../../kit/form/LookupField.tsx'
import { Chip } from '../../kit/list/chip/Chip.tsx'
import { useListState } from '../../kit/list/useListState.ts'

/** Whose log: one company out of thousands. */
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
          value={company && (info.data?.name ?? (info.error ? 'Removed company' : '…'))}
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

function useCompanies(term: string) {
  const read = useRead(contract.company.search, { name: term }, { keepPrevious: true })
  const options = (read.data?.results ?? []).map(({ uuid, name }) => ({ value: uuid, label: name }))
  return { options, isFetching: read.isFetching, error: read.error }
}
