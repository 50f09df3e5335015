import { Menu } from '@mantine/core'
import { routeOf } from '@pillar/domain/access/permission'
import { Link } from '@tanstack/react-router'
import { Check, FileText, KeyRound, LogOut, Mail, Monitor, Moon, ScrollText, Sun } from 'lucide-react'
import { Icon } from '../kit/display/Icon.tsx'
import { leave, useSession } from '../session/session.ts'
import { basePathOf } from '../shared/paths.ts'
import { chooseScheme, type SchemeChoice, useSchemeChoice } from '../shared/scheme.ts'
import styles from './Rail.module.css'

const SCHEMES = [
  { value: 'system', label: 'Same as this device', icon: Monitor },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
] as const satisfies readonly { value: SchemeChoice; label: string; icon: typeof Sun }[]

/** A person's two initials; one if only one name is known. */
function initialsOf(first: string, last: string): string {
  return [first, last]
    .map((name) => [...name.trim()][0] ?? '')
    .join('')
    .toUpperCase()
}

interface ProfileMenuProps {
  opened: boolean
  onChange: (opened: boolean) => void
  /** Opens the Message History Report. */
  onHistory: () => void
  /** Opens the list of monthly reports the person gets. */
  onReports: () => void
  /** Called when a page is selected. */
  onNavigate: () => void
}

/** The signed-in person, the theme, the Message History Report, the company's activity, and Sign out; at the foot of the rail. */
export function ProfileMenu({ opened, onChange, onHistory, onReports, onNavigate }: ProfileMenuProps) {
  const session = useSession()
  const scheme = useSchemeChoice()
  const factorPage = `${basePathOf(window.location.pathname)}/second-factor`
  const name = `${session.first_name} ${session.last_name}`.trim() || session.username
  return (
    <Menu opened={opened} onChange={onChange} position="top-start" width={240}>
      <Menu.Target>
        <button type="button" className={styles.item}>
          <b className={styles.avatar} aria-hidden>
            {initialsOf(session.first_name, session.last_name) || initialsOf(session.username, '')}
          </b>
          <span className={styles.words}>{name}</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <b>{name}</b>
          <br />
          {session.company.name}
        </Menu.Label>
        <Menu.Divider />
        <Menu.Label>Theme</Menu.Label>
        {SCHEMES.map(({ value, label, icon }) => (
          <Menu.Item
            key={value}
            closeMenuOnClick={false}
            leftSection={<Icon of={icon} />}
            rightSection={scheme === value ? <Icon of={Check} size={14} label="chosen" /> : null}
            onClick={() => chooseScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        {session.data_analytics ? (
          <>
            <Menu.Item leftSection={<Icon of={FileText} />} onClick={onHistory}>
              Message History Report
            </Menu.Item>
            <Menu.Item leftSection={<Icon of={Mail} />} onClick={onReports}>
              Monthly report
            </Menu.Item>
            <Menu.Item
              leftSection={<Icon of={ScrollText} />}
              component={Link}
              to={routeOf('activity').path}
              onClick={onNavigate}
            >
              Activity
            </Menu.Item>
          </>
        ) : null}
        <Menu.Item leftSection={<Icon of={KeyRound} />} component="a" href={factorPage}>
          Second factor
        </Menu.Item>
        <Menu.Item leftSection={<Icon of={LogOut} />} onClick={() => leave('signed-out', true)}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
