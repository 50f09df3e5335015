import { Button, Checkbox } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { OnboardingNotification } from '@pillar/contract/access/user-link-admin'
import type { Company } from '@pillar/contract/company/company-admin'
import { counted } from '@pillar/domain/text/sentence'
import { Mail } from 'lucide-react'
import { useRead, useWrite } from '../../api/client.ts'
import { dayOf } from '../../kit/display/dates.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { Loaded } from '../../kit/display/Loaded.tsx'
import { Status } from '../../kit/display/status.tsx'
import { toast } from '../../kit/display/toast.tsx'
import { start } from '../../kit/list/acts.tsx'
import { DataTable } from '../../kit/list/DataTable.tsx'
import { useCountry } from '../../session/session.ts'
import styles from './Account.module.css'
import { useDraft } from './useDraft.ts'

type Row = OnboardingNotification & { id: string }

/** Welcome emails of a company: one line for each link of a user to a pharmacy, sent or not. Unsent ones are selected. */
export function Onboarding({ company }: { company: Company }) {
  const country = useCountry()
  const read = useRead(contract.userLink.notifications, { id: company.uuid })
  const rows: readonly Row[] = (read.data?.data ?? []).map((row) => ({
    ...row,
    id: `${row.login_uuid} ${row.location_uuid}`,
  }))
  const { selected, setSelected, toggle } = useChosen(company.uuid, rows)
  const chosen = rows.filter(({ id }) => selected.has(id))
  const again = chosen.filter((row) => row.created_at !== null).length
  const letters = new Set(chosen.map((row) => row.login_uuid)).size
  const send = useWrite(contract.userLink.sendWelcome, {
    ask: {
      title: `Send ${counted(letters, 'welcome email', 'welcome emails')}?`,
      consequence: `${counted(letters, 'user gets', 'users get')} one email each, about ${counted(chosen.length, 'location', 'locations')} in all. ${again > 0 ? `${again} of these ${again === 1 ? 'was' : 'were'} sent before. ` : ''}Users without a password get a one-time link to choose one, which replaces any earlier link.`,
      button: `Send ${counted(letters, 'welcome email', 'welcome emails')}`,
    },
    done: ({ message }) => message,
  })
  const submit = async () => {
    const login_locations = chosen.map(({ login_uuid, location_uuid }) => ({
      login_id: login_uuid,
      location_id: location_uuid,
    }))
    // Afterwards the ones the server still has as unsent are selected.
    if (await send.mutateAsync({ login_locations })) setSelected(null)
  }
  const reload = async () => {
    if ((await read.refetch()).isSuccess) toast('Onboarding Notifications Retrieved Successfully')
  }
  const select = (which: (row: Row) => boolean) => () => setSelected(rows.filter(which).map(({ id }) => id))
  return (
    <Loaded read={read} what="notifications" rows={2}>
      {() => (
        <>
          <div className={styles.bar}>
            <Button size="xs" variant="subtle" onClick={select(() => true)}>
              Select All
            </Button>
            <Button size="xs" variant="subtle" onClick={select((row) => row.created_at === null)}>
              Select All Unsent
            </Button>
            <Button size="xs" variant="subtle" onClick={select(() => false)}>
              Unselect All
            </Button>
            <Button size="xs" variant="subtle" onClick={() => void reload()}>
              Refresh
            </Button>
          </div>
          {rows.length === 0 ? (
            <p className="muted">No records found. Link users to locations first.</p>
          ) : (
            <DataTable
              label="Onboarding notifications"
              rows={rows}
              idOf={({ id }) => id}
              columns={[
                {
                  label: 'User',
                  cell: (row) => (
                    <Checkbox
                      label={row.login_name}
                      aria-label={`${row.login_name}, ${row.location_name}`}
                      checked={selected.has(row.id)}
                      onChange={() => toggle(row.id)}
                    />
                  ),
                },
                { label: 'Location', cell: ({ location_name }) => location_name },
                { label: 'Destination', cell: ({ destination }) => destination },
                {
                  label: 'Sent',
                  cell: ({ created_at }) => (created_at ? dayOf(country, created_at) : <Status word="Not sent" />),
                },
              ]}
            />
          )}
          <div>
            <Button
              variant="filled"
              size="xs"
              leftSection={<Icon of={Mail} size={14} />}
              disabled={chosen.length === 0}
              loading={send.isPending}
              onClick={() => start({ run: submit })}
            >
              {letters === 0 ? 'Send welcome emails' : `Send ${counted(letters, 'welcome email', 'welcome emails')}`}
            </Button>{' '}
            <span className="muted">{chosen.length === 0 ? 'Select at least one notification.' : ''}</span>
          </div>
        </>
      )}
    </Loaded>
  )
}

/** The selection: the unsent ones until somebody chooses. Lines that no longer exist drop out. */
function useChosen(company: string, rows: readonly Row[]) {
  const [own, setSelected] = useDraft(company, 'notifications')
  const selected = new Set(own ?? rows.filter((row) => row.selected).map(({ id }) => id))
  const toggle = (id: string) =>
    setSelected(selected.has(id) ? [...selected].filter((one) => one !== id) : [...selected, id])
  return { selected, setSelected, toggle }
}
