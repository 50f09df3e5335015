import type { CompanyLocation } from '@pillar/contract/company/company-admin'

/** What a dialog about a pharmacy is given. */
export interface LocationDialog {
  location: CompanyLocation
  onClose: () => void
}
