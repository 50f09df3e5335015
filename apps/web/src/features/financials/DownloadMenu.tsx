import { Button, Menu } from '@mantine/core'
import type { AskOf } from '@pillar/contract'
import { financials } from '@pillar/contract/financials'
import type { PeriodChoice } from '@pillar/domain/time/period'
import { ChevronDown, Download, FileSpreadsheet, FileText, Mail, Sheet } from 'lucide-react'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { sendForFile } from '../../api/file.ts'
import { fetched } from '../../kit/dialog/fetched.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import { useFile } from '../../kit/display/useFile.ts'
import { useReport } from '../financial-report/useReport.ts'

const ReportMailDialog = fetched(
  async () => (await import('../financial-report/ReportMailDialog.tsx')).ReportMailDialog,
)

/** The input for exporting the table on screen; null while there is none. */
export type Exported = AskOf<typeof financials.tableXlsx> | null

interface DownloadMenuProps {
  exported: Exported
  choice: PeriodChoice
  /** The single pharmacy on screen; null if there are several. */
  pharmacy: { id: string; name: string } | null
}

/**
 * All files of Financials: the table on screen, the one-page report, and who gets that by email. Items that load while the menu is open never
 * move the others, so a person about to press one presses that one.
 */
export function DownloadMenu({ exported, choice, pharmacy }: DownloadMenuProps) {
  const csv = useFile(() => send(financials.tableCsv, exported!))
  const excel = useFile(() => sendForFile(financials.tableXlsx, exported!))
  const whole = useReport({ choice, pharmacyId: null })
  const one = useReport({ choice, pharmacyId: pharmacy?.id ?? null })
  const [mail, setMail] = useState(false)
  const empty = exported === null
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <Button
            leftSection={<Icon of={Download} />}
            rightSection={<Icon of={ChevronDown} size={14} />}
            loading={csv.busy || excel.busy || whole.busy || one.busy}
          >
            Download
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>The table on screen{empty ? ': nothing to export yet' : ''}</Menu.Label>
          <Menu.Item leftSection={<Icon of={FileSpreadsheet} />} disabled={empty} onClick={csv.save}>
            Export CSV
          </Menu.Item>
          <Menu.Item leftSection={<Icon of={Sheet} />} disabled={empty} onClick={excel.save}>
            Export Excel
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>Report (PDF), one page</Menu.Label>
          <Menu.Item leftSection={<Icon of={FileText} />} onClick={whole.save}>
            Whole company
          </Menu.Item>
          <Menu.Item leftSection={<Icon of={Mail} />} onClick={() => setMail(true)}>
            Monthly report by email…
          </Menu.Item>
          {pharmacy ? (
            <Menu.Item leftSection={<Icon of={FileText} />} onClick={one.save}>
              {pharmacy.name}
            </Menu.Item>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      {mail ? <ReportMailDialog close={() => setMail(false)} /> : null}
    </>
  )
}
