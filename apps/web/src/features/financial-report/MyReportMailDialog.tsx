import { Button } from '@mantine/core'
import { reportMail } from '@pillar/contract/report-mail'
import { joined } from '@pillar/domain/text/sentence'
import { useRead, useWrite } from '../../api/client.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { Loaded } from '../../kit/display/Loaded.tsx'
import { start } from '../../kit/list/acts.tsx'

/** The monthly reports the person gets, with a way to stop all of them: in the account menu, and only they can undo it. */
export function MyReportMailDialog({ onClose }: { onClose: () => void }) {
  const read = useRead(reportMail.list, {})
  const stop = useWrite(reportMail.stop, { done: 'You get no monthly reports any more' })
  const resume = useWrite(reportMail.resume, { done: 'You can get monthly reports again' })
  const stopped = read.data?.stopped ?? false
  const mine = (read.data?.mails ?? []).filter(({ is_me }) => is_me)
  return (
    <Dialog
      opened
      title="Monthly report"
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Close</Button>
          {stopped ? (
            <Button
              variant="filled"
              loading={resume.isPending}
              onClick={() => start({ run: () => resume.mutateAsync({}) })}
            >
              Allow monthly reports
            </Button>
          ) : (
            <Button
              variant={mine.length > 0 ? 'filled' : 'default'}
              disabled={!read.data}
              loading={stop.isPending}
              onClick={() => start({ run: () => stop.mutateAsync({}) })}
            >
              {mine.length > 0 ? 'Stop monthly reports' : 'Refuse monthly reports'}
            </Button>
          )}
        </>
      }
    >
      <Loaded read={read} what="your monthly reports">
        {() => {
          if (stopped) return <p>You get no monthly reports. Nobody else can sign you up.</p>
          if (mine.length === 0) {
            return <p>You get no monthly reports. Colleagues can sign you up under Financials, unless you refuse.</p>
          }
          const whats = mine.map(({ pharmacy_name }) => pharmacy_name ?? 'the whole company')
          const all = whats.length > 1 ? ' Stopping ends them all at once.' : ''
          return (
            <p>
              You get a monthly report by email of {joined(whats)}.{all}
            </p>
          )
        }}
      </Loaded>
    </Dialog>
  )
}
