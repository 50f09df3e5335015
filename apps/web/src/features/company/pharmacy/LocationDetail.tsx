import { Button, Group, Menu } from '@mantine/core'
import type { CompanyLocation } from '@pillar/contract/company/company-admin'
import { addressLine } from '@pillar/domain/pharmacy/address'
import { NO_VALUE } from '@pillar/domain/time/locale'
import { ChevronDown } from 'lucide-react'
import { CopyButton } from '../../../kit/display/CopyButton.tsx'
import { Icon } from '../../../kit/display/Icon.tsx'
import { type Act, start } from '../../../kit/list/acts.tsx'
import { KeyPanel } from './KeyPanel.tsx'
import styles from './LocationDetail.module.css'
import { ModuleTags } from './ModuleTags.tsx'
import { MESSAGE_INFO } from './useLocationActs.tsx'

/** The contents of a pharmacy's opened row: address, ids to copy, modules, keys, and all acts. */
export function LocationDetail({ location, acts }: { location: CompanyLocation; acts: readonly Act[] }) {
  const messages = acts.find(({ label }) => label === MESSAGE_INFO)
  return (
    <div className={styles.detail}>
      <dl>
        <dt>Address</dt>
        <dd>{addressLine(location) || NO_VALUE}</dd>
        <dt>Phone</dt>
        <dd>{location.phone_number ?? NO_VALUE}</dd>
        <dt>Owner</dt>
        <dd>{location.owner?.name ?? NO_VALUE}</dd>
        <dt>UUID</dt>
        <dd>
          <code>{location.uuid}</code> <CopyButton what="UUID" text={location.uuid} />
        </dd>
        <dt>Modules</dt>
        <dd>
          <ModuleTags location={location} />
        </dd>
      </dl>
      <KeyPanel location={location} />
      {acts.length === 0 ? null : (
        <Group gap={8}>
          <Menu position="bottom-start">
            <Menu.Target>
              <Button size="xs" rightSection={<Icon of={ChevronDown} />}>
                Actions
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {acts
                .filter((act) => act !== messages)
                .map((act) => (
                  <Menu.Item
                    key={act.label}
                    leftSection={<Icon of={act.icon} />}
                    disabled={act.disabled !== undefined}
                    title={act.disabled}
                    onClick={() => start(act)}
                  >
                    {act.label}
                  </Menu.Item>
                ))}
            </Menu.Dropdown>
          </Menu>
          {messages ? (
            <Button size="xs" leftSection={<Icon of={messages.icon} />} onClick={() => start(messages)}>
              {messages.label}
            </Button>
          ) : null}
        </Group>
      )}
    </div>
  )
}
