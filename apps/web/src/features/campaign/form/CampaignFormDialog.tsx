import { Button } from '@mantine/core'
import { type Campaign, campaign as calls } from '@pillar/contract/campaign/campaign'
import { location } from '@pillar/contract/company/location'
import { type ReactNode, useEffect } from 'react'
import { useRead } from '../../../api/client.ts'
import type { DialogProps } from '../../../frame/dialog-address.ts'
import { WideDialog } from '../../../kit/dialog/WideDialog.tsx'
import { LinkButton } from '../../../kit/display/LinkButton.tsx'
import { Loaded } from '../../../kit/display/Loaded.tsx'
import { NothingYet } from '../../../kit/display/states.tsx'
import { toast } from '../../../kit/display/toast.tsx'
import { CampaignForm } from './CampaignForm.tsx'
import type { CampaignStart } from './campaign-draft.ts'

/** New campaign: empty except for the pharmacy it was started from, or a copy of another. Recommendations shows the same form filled in. */
export function NewCampaignDialog({ search, close, open }: DialogProps) {
  const from = search.campaign
  if (from !== undefined) {
    return (
      <WithCampaign id={from} title="Copy campaign" close={close}>
        {(campaign) => (
          <FormDialog
            title="Copy campaign"
            start={{ kind: 'copy', campaign }}
            close={close}
            open={open}
            back={() => open('campaigns', { campaign: from })}
          />
        )}
      </WithCampaign>
    )
  }
  return <EmptyCampaign pharmacy={search.pharmacy} close={close} open={open} />
}

/** A new campaign, for the pharmacy of the link if the company still has it. */
function EmptyCampaign({ pharmacy, close, open }: Pick<DialogProps, 'close' | 'open'> & { pharmacy?: string }) {
  const list = useRead(location.pharmacies, {}, { staleTime: 600_000, enabled: pharmacy !== undefined })
  const gone = pharmacy !== undefined && list.data?.data.every(({ uuid }) => uuid !== pharmacy) === true
  useEffect(() => {
    if (gone) toast('The pharmacy of this link is not one of yours any more. Please select others.')
  }, [gone])
  const title = 'New campaign'
  if (pharmacy !== undefined && list.isPending) {
    return (
      <WideDialog opened onClose={close} title={title} size="cohort">
        <Loaded read={list} what="the pharmacies">
          {() => null}
        </Loaded>
      </WideDialog>
    )
  }
  const start = { kind: 'new', pharmacy: gone ? undefined : pharmacy } as const
  return <FormDialog title={title} start={start} close={close} open={open} back={close} />
}

/** Edit campaign: always loads the server's current data, so that the version is the newest. */
export function EditCampaignDialog({ search, close, open }: DialogProps) {
  const id = search.campaign ?? ''
  const title = 'Edit campaign'
  return (
    <WithCampaign id={id} title={title} close={close}>
      {(campaign) =>
        campaign.demo ? (
          <WideDialog opened onClose={close} title={title}>
            <NothingYet title="Demo campaigns cannot be edited">
              <Button onClick={() => open('new-campaign', { campaign: id })}>Make a copy to edit</Button>
            </NothingYet>
          </WideDialog>
        ) : (
          <FormDialog
            title={title}
            start={{ kind: 'edit', campaign }}
            close={close}
            open={open}
            back={() => open('campaigns', { campaign: id })}
          />
        )
      }
    </WithCampaign>
  )
}

interface WithCampaignProps {
  id: string
  title: string
  close: () => void
  children: (campaign: Campaign) => ReactNode
}

/** Reads the campaign again before showing any of it. */
function WithCampaign({ id, title, close, children }: WithCampaignProps) {
  const query = useRead(calls.info, { id }, { enabled: id !== '', staleTime: 0 })
  if (query.isFetchedAfterMount && query.data) return children(query.data)
  const back = (
    <LinkButton to="/campaigns" search={{ dialog: 'campaigns' }}>
      All campaigns
    </LinkButton>
  )
  return (
    <WideDialog opened onClose={close} title={title}>
      {id === '' ? (
        // An address that was cut off, for instance: nothing is read, so nothing would ever arrive.
        <NothingYet title="This link names no campaign" action={back} />
      ) : (
        <Loaded read={{ ...query, data: undefined }} what="the campaign" back={back}>
          {() => null}
        </Loaded>
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
