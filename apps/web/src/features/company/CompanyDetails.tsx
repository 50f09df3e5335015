import type { Company } from '@pillar/contract/company/company-admin'
import { CompanyUsers } from '../user/CompanyUsers.tsx'
import { PharmacyTable } from './pharmacy/PharmacyTable.tsx'

/** The contents of a company's opened row: its pharmacies and its users. */
export function CompanyDetails({ company }: { company: Company }) {
  return (
    <>
      <PharmacyTable company={company} />
      <CompanyUsers company={company} />
    </>
  )
}
