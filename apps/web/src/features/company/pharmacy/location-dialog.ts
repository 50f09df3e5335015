import type { CompanyLocation } from '@pillar/contract/company/company-admin'

/** What a dialog about a pharmacy is given. */
export interface LocationDialog {
  /** Uuid of the company that has it. */
  company: string
  location: CompanyLocation
  onClose: () => void
}
