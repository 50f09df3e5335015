import { Button } from '@mantine/core'
import type { PeriodChoice } from '@pillar/domain/time/period'
import { Download, FileText, Send } from 'lucide-react'
import { download } from '../../../api/download.ts'
import { csvOf } from '../../../kit/chart/csv.ts'
import { Icon } from '../../../kit/display/Icon.tsx'
import { LinkButton } from '../../../kit/display/LinkButton.tsx'
import { toast } from '../../../kit/display/toast.tsx'
import { useReport } from '../../financial-report/useReport.ts'
import type { Tab } from './pharmacy-search.ts'
import type { PharmacyReply } from './pharmacy-words.ts'
import { tabFigures } from './tab-figures.ts'

interface ActionsProps {
  id: string
  choice: PeriodChoice
  tab: Tab
  reply: PharmacyReply
  /** The drug types' figures, once they are loaded. */
  drugTypes: Parameters<typeof tabFigures>[2]
}

/** What can be done with a pharmacy's figures: its report, a file of the open tab, a campaign for it. */
export function PharmacyActions({ id, choice, tab, reply, drugTypes }: ActionsProps) {
  const file = tabFigures(tab, reply, drugTypes)
  const save = () => {
    if (!file) return
    const name = `${reply.pharmacy_name} ${tab} ${reply.period.key}.csv`
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}.]+/gu, '-')
    download(name, csvOf(file))
    toast(`${name} downloaded`)
  }
  return (
    <>
      <ReportButton id={id} choice={choice} />
      <Button
        variant="default"
        leftSection={<Icon of={Download} />}
        disabled={!file}
        title={file ? undefined : 'The picture has its own download'}
        onClick={save}
      >
        Download
      </Button>
      <LinkButton
        variant="filled"
        to="/campaigns"
        search={{ dialog: 'new-campaign', pharmacy: id }}
        leftSection={<Icon of={Send} />}
      >
        New campaign
      </LinkButton>
    </>
  )
}

/** The pharmacy's one-page report for the period on screen. */
function ReportButton({ id, choice }: { id: string; choice: PeriodChoice }) {
  const { busy, save } = useReport({ choice, pharmacyId: id })
  return (
    <Button variant="default" leftSection={<Icon of={FileText} />} loading={busy} onClick={save}>
      Report (PDF)
    </Button>
  )
}
