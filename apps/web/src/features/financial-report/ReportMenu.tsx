import { Button, Menu } from '@mantine/core'
import { financialReport } from '@pillar/contract/financial-report'
import type { PeriodChoice } from '@pillar/domain/time/period'
import { FileText, Mail } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { send } from '../../api/client.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { useFile } from '../../kit/display/useFile.ts'

const ReportMailDialog = lazy(async () => ({ default: (await import('./ReportMailDialog.tsx')).ReportMailDialog }))

interface ReportOf {
  choice: PeriodChoice
  /** The pharmacy it is about; null for the whole company. */
  pharmacyId: string | null
}

/** The one-page report as a file: what a button of any screen needs. */
export function useReport({ choice, pharmacyId }: ReportOf): { busy: boolean; save: () => void } {
  return useFile(() => send(financialReport.pdf, { ...choice, pharmacy_id: pharmacyId }))
}

interface ReportMenuProps {
  choice: PeriodChoice
  /** The one pharmacy on screen; null when there are several. */
  pharmacy: { id: string; name: string } | null
}

/** The one-page report of the company, and of the pharmacy on screen where it is one; and who gets it by mail. */
export function ReportMenu({ choice, pharmacy }: ReportMenuProps) {
  const whole = useReport({ choice, pharmacyId: null })
  const one = useReport({ choice, pharmacyId: pharmacy?.id ?? null })
  const [mail, setMail] = useState(false)
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <Button leftSection={<Icon of={FileText} />} loading={whole.busy || one.busy}>
            Report (PDF)
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {pharmacy ? (
            <Menu.Item leftSection={<Icon of={FileText} />} onClick={one.save}>
              {pharmacy.name}
            </Menu.Item>
          ) : null}
          <Menu.Item leftSection={<Icon of={FileText} />} onClick={whole.save}>
            Whole company
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<Icon of={Mail} />} onClick={() => setMail(true)}>
            Monthly report by mail…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {mail ? (
        <Suspense fallback={null}>
          <ReportMailDialog close={() => setMail(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
