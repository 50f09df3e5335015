import type { CompanyLocation } from '@pillar/contract/company/company-admin'

/** The props of a dialog about a pharmacy. */
export interface LocationDialog {
  /** Uuid of the pharmacy's company. */
  company: string
  location: CompanyLocation
  onClose: () => void
}
