import type { CompanyLocation } from '@pillar/contract/company/company-admin'
import type { Country } from '@pillar/domain/time/locale'
import {
  CalendarRange,
  CalendarSearch,
  FlaskConical,
  HardDriveUpload,
  History,
  type LucideIcon,
  MessageSquareText,
  MessagesSquare,
  UserX,
} from 'lucide-react'
import { type ComponentType, type ReactNode, useState } from 'react'
import { fetched } from '../../../kit/dialog/fetched.tsx'
import type { Act } from '../../../kit/list/acts.tsx'
import { MessageInfoDialog } from '../../message-info/MessageInfoDialog.tsx'
import type { LocationDialog } from './location-dialog.ts'

const PharmacySendingDialog = fetched(async () => (await import('./PharmacySendingDialog.tsx')).PharmacySendingDialog)

const ErasePatientDialog = fetched(async () => (await import('./ErasePatientDialog.tsx')).ErasePatientDialog)

export const UploadHistory = fetched(
  async () => (await import('../../upload/UploadHistoryDialog.tsx')).UploadHistoryDialog,
)

interface LocationAct {
  label: string
  icon: LucideIcon
  /** Why pharmacies in a country do not have it. */
  disabled?: (country: Country) => string | undefined
  /** Opened by the act. */
  dialog: ComponentType<LocationDialog>
}

/** A dialog that gets the pharmacy's id and name, and is downloaded when first opened. */
type PharmacyDialogOf = ComponentType<{ pharmacy: CompanyLocation; onClose: () => void }>
function about(load: () => Promise<PharmacyDialogOf>): ComponentType<LocationDialog> {
  const Fetched = fetched(load)
  return ({ location, onClose }) => <Fetched pharmacy={location} onClose={onClose} />
}

/** This act has its own button in the opened row, beside the Actions menu. */
export const MESSAGE_INFO = 'Message Info'

/** The acts on a pharmacy, in display order. */
const ACTS: readonly LocationAct[] = [
  {
    label: 'Pharmacy Upload History',
    icon: HardDriveUpload,
    dialog: ({ location, onClose }) => <UploadHistory id={location.uuid} name={location.name} onClose={onClose} />,
  },
  { label: 'Sending rules', icon: MessageSquareText, dialog: PharmacySendingDialog },
  {
    label: MESSAGE_INFO,
    icon: MessagesSquare,
    dialog: ({ location, onClose }) => (
      <MessageInfoDialog filter={{ location_id: location.uuid }} title={location.name} onClose={onClose} />
    ),
  },
  {
    label: 'Message History Report',
    icon: History,
    dialog: about(async () => (await import('../../report/ReportAdminDialogs.tsx')).AdminMessageHistoryDialog),
  },
  {
    label: '60 Day Dispensing Report',
    icon: CalendarRange,
    disabled: (country) => (country === 'AU' ? undefined : '60 day dispensing exists in Australia only.'),
    dialog: about(async () => (await import('../../report/ReportAdminDialogs.tsx')).SixtyDayReportDialog),
  },
  {
    label: 'Fake Patients',
    icon: FlaskConical,
    dialog: about(async () => (await import('../../fake-patient/FakePatientsDialog.tsx')).FakePatientsDialog),
  },
  {
    label: 'Consent on a day',
    icon: CalendarSearch,
    dialog: about(async () => (await import('../../consent/ConsentOnDayDialog.tsx')).ConsentOnDayDialog),
  },
  { label: 'Erase a patient', icon: UserX, dialog: ErasePatientDialog },
]

/** A pharmacy's acts, and the dialog of the selected one. */
export function useLocationActs(company: string): { actsOf: (location: CompanyLocation) => Act[]; dialog: ReactNode } {
  const [opened, setOpened] = useState<{ of: LocationAct; location: CompanyLocation } | null>(null)
  const Opened = opened?.of.dialog
  return {
    actsOf: (location) =>
      ACTS.map((of) => ({
        label: of.label,
        icon: of.icon,
        disabled: of.disabled?.(location.country),
        run: () => setOpened({ of, location }),
      })),
    dialog:
      opened && Opened ? <Opened company={company} location={opened.location} onClose={() => setOpened(null)} /> : null,
  }
}
