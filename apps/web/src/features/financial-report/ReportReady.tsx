import { Button } from '@mantine/core'
import type { Country } from '@pillar/domain/time/locale'
import { type PeriodChoice, periodLabel } from '@pillar/domain/time/period'
import { Download } from 'lucide-react'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import { useReport } from './useReport.ts'

interface ReportReadyProps {
  choice: PeriodChoice
  /** Null for the whole company. */
  pharmacy: { id: string; name: string } | null
  country: Country
  close: () => void
}

/** Opened by the link in a monthly letter: the report to download. */
export function ReportReady({ choice, pharmacy, country, close }: ReportReadyProps) {
  const { busy, save } = useReport({ choice, pharmacyId: pharmacy?.id ?? null })
  return (
    <Dialog
      opened
      title={`Report of ${periodLabel(country, choice)}`}
      onClose={close}
      foot={
        <>
          <Button onClick={close}>Close</Button>
          <Button variant="filled" leftSection={<Icon of={Download} />} loading={busy} onClick={save}>
            Download (PDF)
          </Button>
        </>
      }
    >
      <p>{pharmacy?.name ?? 'The whole company'} on one page, with the figures as they are now.</p>
    </Dialog>
  )
}
