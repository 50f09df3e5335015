import { ActionIcon, Button, Menu } from '@mantine/core'
import { Ellipsis, LayoutTemplate, List, Plus } from 'lucide-react'
import { Icon } from '../../kit/Icon.tsx'
import { Page } from '../../kit/Page.tsx'
import { useListState } from '../../kit/useListState.ts'
import { Dialogs, useDialogs } from './dialogs.tsx'
import type { CampaignsSearch } from './search.ts'

/** Campaigns and Marketing: what is recommended, what is running, and what the messages of each pharmacy did. */
export function CampaignsPage() {
  const { state } = useListState<CampaignsSearch>()
  return (
    <Page title="Campaigns and Marketing" heading="Campaigns" actions={<Actions />}>
      <Dialogs search={state} />
    </Page>
  )
}

function Actions() {
  const { open } = useDialogs()
  return (
    <>
      <Button leftSection={<Icon of={LayoutTemplate} />} onClick={() => open('templates')}>
        Templates
      </Button>
      <Button leftSection={<Icon of={List} />} onClick={() => open('campaigns')}>
        All campaigns
      </Button>
      <Button variant="filled" leftSection={<Icon of={Plus} />} onClick={() => open('new-campaign')}>
        New campaign
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label="More">
            <Icon of={Ellipsis} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => open('sending-rules')}>Sending rules</Menu.Item>
          <Menu.Item onClick={() => open('sms-cost')}>How parts are counted</Menu.Item>
          <Menu.Item onClick={() => open('ai-help')}>AI help</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
