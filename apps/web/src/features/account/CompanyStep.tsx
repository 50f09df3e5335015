import { Button } from '@mantine/core'
import type { Company } from '@pillar/contract/company/company-admin'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Icon } from '../../kit/display/Icon.tsx'
import { LookupField } from '../../kit/form/LookupField.tsx'
import { CompanyDialog } from '../company/CompanyDialog.tsx'
import { useCompanies } from '../company/company-options.ts'

interface CompanyStepProps {
  company: Company | null
  onSelect: (uuid: string | 'new') => void
}

/** Selects a company, or creates one and selects it. */
export function CompanyStep({ company, onSelect }: CompanyStepProps) {
  const [creating, setCreating] = useState(false)
  return (
    <>
      <LookupField
        name="company"
        label="Company"
        placeholder="Find a company"
        value={company?.uuid ?? ''}
        first={company?.name ?? ''}
        onChange={(uuid: string) => onSelect(uuid || 'new')}
        useOptions={useCompanies}
      />
      <div>
        <Button size="xs" leftSection={<Icon of={Plus} size={14} />} onClick={() => setCreating(true)}>
          Create Company
        </Button>
      </div>
      {creating ? (
        <CompanyDialog
          row={null}
          onClose={(made) => {
            setCreating(false)
            if (made) onSelect(made.uuid)
          }}
        />
      ) : null}
    </>
  )
}
