import type { Company } from '@pillar/contract/company/company-admin'
import { CompanyUsers } from '../user/CompanyUsers.tsx'
import { PharmacyTable } from './pharmacy/PharmacyTable.tsx'

/** What a company's row opens to: its pharmacies and its users. */
export function CompanyDetails({ company }: { company: Company }) {
  return (
    <>
      <PharmacyTable company={company} />
      <CompanyUsers company={company} />
    </>
  )
}
