import { landingRoute, mayOpen, routeOf } from '@pillar/domain/access/permission'
import { Link } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import {
  CalendarDays,
  ChartNoAxesColumn,
  ChartPie,
  FlaskConical,
  Inbox,
  LockKeyhole,
  Search,
  Send,
  SlidersHorizontal,
} from 'lucide-react'
import { type FocusEvent, useRef, useState } from 'react'
import { fetched } from '../kit/dialog/fetched.tsx'
import { Icon } from '../kit/display/Icon.tsx'
import { useSession } from '../session/session.ts'
import { Mark } from '../shared/Mark.tsx'
import { ProfileMenu } from './ProfileMenu.tsx'
import styles from './Rail.module.css'
import { usePortalInfo, useProductName } from './title.ts'

const DIALOGS = {
  history: fetched(async () => (await import('../features/report/MessageHistoryDialog.tsx')).MessageHistoryDialog),
  reports: fetched(
    async () => (await import('../features/financial-report/MyReportMailDialog.tsx')).MyReportMailDialog,
  ),
}

/** The existing screens, in the rail's order. A screen is added here together with its route. */
const SCREENS = [
  { name: 'financials', icon: ChartNoAxesColumn },
  { name: 'campaigns', icon: Send },
  { name: 'guildSixtyDay', icon: CalendarDays },
  { name: 'sixtyDay', icon: CalendarDays },
  { name: 'referrals', icon: FlaskConical },
  { name: 'analytics', icon: ChartPie },
  { name: 's8', icon: LockKeyhole },
  { name: 'settings', icon: SlidersHorizontal },
] as const satisfies readonly { name: string; icon: LucideIcon }[]

interface RailProps {
  menuOpen: boolean
  onNavigate: () => void
  /** Opens the dialog that finds a pharmacy; absent for people who may not open a pharmacy's page. */
  onFind: (() => void) | undefined
}

/** The rail: 56 px, expanding over the page to 240 px while hovered or focused. On a small screen it is the menu that the frame's button opens. */
export function Rail({ menuOpen, onNavigate, onFind }: RailProps) {
  const rail = useRef<HTMLElement>(null)
  const [over, setOver] = useState(false)
  const [focused, setFocused] = useState(false)
  const [profile, setProfile] = useState(false)
  const [dialog, setDialog] = useState<keyof typeof DIALOGS | null>(null)
  const Dialog = dialog && DIALOGS[dialog]
  const open = over || focused || profile || menuOpen
  // A click also focuses, so only keyboard focus opens the rail; otherwise it would stay open after every click.
  const onFocus = (event: FocusEvent) => setFocused(event.target.matches(':focus-visible'))
  const onBlur = (event: FocusEvent) => {
    if (!rail.current?.contains(event.relatedTarget)) setFocused(false)
  }
  const openDialog = (which: keyof typeof DIALOGS) => () => {
    setDialog(which)
    onNavigate()
  }
  return (
    <>
      <nav
        ref={rail}
        id="rail"
        aria-label="Main"
        className={open ? `${styles.rail} ${styles.open}` : styles.rail}
        onPointerEnter={({ pointerType }) => setOver(pointerType === 'mouse')}
        onPointerLeave={() => setOver(false)}
        onFocus={onFocus}
        onBlur={onBlur}
      >
        <Screens onNavigate={onNavigate} onFind={onFind} />
        <ProfileMenu
          opened={profile}
          onChange={setProfile}
          onHistory={openDialog('history')}
          onReports={openDialog('reports')}
          onNavigate={onNavigate}
        />
      </nav>
      {/* Beside the rail, not in it, so that focus inside the dialog does not count as the rail's. */}
      {Dialog ? <Dialog onClose={() => setDialog(null)} /> : null}
    </>
  )
}

/** The home link, the screens this person may open, and the outbox if there is one. */
function Screens({ onNavigate, onFind }: Omit<RailProps, 'menuOpen'>) {
  const session = useSession()
  const product = useProductName()
  const info = usePortalInfo().data
  const home = landingRoute(session, session.company.country)?.path ?? '/'
  const screens = SCREENS.map((screen) => ({ ...screen, route: routeOf(screen.name) })).filter(({ route }) =>
    mayOpen(route, session, session.company.country),
  )
  return (
    <>
      <Link to={home} className={styles.mark} onClick={onNavigate}>
        <Mark />
        <b className={styles.words}>{product}</b>
      </Link>
      {onFind ? (
        <button
          type="button"
          className={styles.item}
          aria-keyshortcuts="Control+K Meta+K"
          onClick={() => {
            onNavigate()
            onFind()
          }}
        >
          <Icon of={Search} size={18} />
          <span className={styles.words}>Find a pharmacy</span>
        </button>
      ) : null}
      {screens.map(({ route, icon }) => (
        <Link key={route.name} to={route.path} className={styles.item} onClick={onNavigate}>
          <Icon of={icon} size={18} />
          <span className={styles.words}>{route.title}</span>
        </Link>
      ))}
      <div className={styles.grow} />
      {info?.outbox ? (
        <Link to="/outbox" className={styles.item} onClick={onNavigate}>
          <Icon of={Inbox} size={18} />
          <span className={styles.words}>Outbox</span>
        </Link>
      ) : null}
    </>
  )
}
