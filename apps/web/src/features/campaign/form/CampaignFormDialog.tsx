import { campaign } from '@pillar/contract/campaign/campaign'
import { useRead } from '../../../api/client.ts'
import type { DialogProps } from '../../../frame/dialog-address.ts'
import { WideDialog } from '../../../kit/dialog/WideDialog.tsx'
import { Failed, Loading, NothingYet } from '../../../kit/display/states.tsx'
import { CampaignForm } from './CampaignForm.tsx'
import type { CampaignStart } from './campaign-draft.ts'

/** New campaign: empty but for the pharmacy it was begun at; Recommendations shows the same form filled in. */
export function NewCampaignDialog({ search, close, open }: DialogProps) {
  return (
    <FormDialog
      title="New campaign"
      start={{ kind: 'new', pharmacy: search.pharmacy }}
      close={close}
      open={open}
      back={close}
    />
  )
}

/** Edit campaign: always what the server has now, so that the version is the newest. */
export function EditCampaignDialog({ search, close, open }: DialogProps) {
  const id = search.campaign ?? ''
  const query = useRead(campaign.info, { id }, { enabled: id !== '', staleTime: 0 })
  const back = () => open('campaigns', { campaign: id })
  const found = query.isFetchedAfterMount ? query.data : undefined
  if (found && !found.demo) {
    return (
      <FormDialog
        title="Edit campaign"
        start={{ kind: 'edit', campaign: found }}
        close={close}
        open={open}
        back={back}
      />
    )
  }
  return (
    <WideDialog opened onClose={close} title="Edit campaign">
      {found ? (
        <NothingYet title="Demo campaigns cannot be edited">Make one of your own from it instead.</NothingYet>
      ) : query.isError ? (
        <Failed title="Could not load the campaign" error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Loading />
      )}
    </WideDialog>
  )
}

interface FormDialogProps extends Pick<DialogProps, 'open' | 'close'> {
  title: string
  start: CampaignStart
  back: () => void
}

function FormDialog({ title, start, open, close, back }: FormDialogProps) {
  return (
    <WideDialog opened onClose={close} title={title} size="cohort">
      <CampaignForm start={start} onCancel={back} onDone={(id) => open('campaigns', { campaign: id })} />
    </WideDialog>
  )
}
