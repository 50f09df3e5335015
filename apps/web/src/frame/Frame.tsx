import { ActionIcon } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import { Menu as MenuIcon } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { DialogStack } from '../kit/dialog/DialogStack.tsx'
import { QuestionHost } from '../kit/dialog/QuestionHost.tsx'
import { Icon } from '../kit/display/Icon.tsx'
import { SessionWarning } from '../session/SessionWarning.tsx'
import { useSession } from '../session/session.ts'
import { Mark } from '../shared/Mark.tsx'
import { keepPath, withoutBase } from '../shared/paths.ts'
import styles from './Frame.module.css'
import { Rail } from './Rail.tsx'
import { Screen } from './Screen.tsx'
import { useProductName } from './title.ts'
import { useFindPharmacy } from './useFindPharmacy.ts'
import { useKeptFocus } from './useKeptFocus.ts'

/** Everything around a signed-in screen: skip link, rail, the screen, questions, the session's warning. */
export function Frame() {
  const [menuOpen, setMenuOpen] = useState(false)
  const menuButton = useRef<HTMLButtonElement>(null)
  const product = useProductName()
  useKeptPath()
  useKeptFocus()
  const find = useFindPharmacy()
  useEffect(() => {
    if (!menuOpen) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setMenuOpen(false)
      // Moves the focus out of the menu, which stays open while it has the keyboard.
      menuButton.current?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [menuOpen])
  return (
    <DialogStack>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className={styles.top}>
        <ActionIcon
          ref={menuButton}
          size={44}
          aria-label="Menu"
          aria-expanded={menuOpen}
          aria-controls="rail"
          onClick={() => setMenuOpen((was) => !was)}
        >
          <Icon of={MenuIcon} size={20} />
        </ActionIcon>
        <Mark size={20} /> <b>{product}</b>
      </header>
      {menuOpen ? (
        <button type="button" className={styles.scrim} aria-label="Close menu" onClick={() => setMenuOpen(false)} />
      ) : null}
      <Rail menuOpen={menuOpen} onNavigate={() => setMenuOpen(false)} onFind={find.open} />
      <main id="main" tabIndex={-1} className={styles.main}>
        <Screen />
      </main>
      <QuestionHost />
      {find.dialog}
      <SessionWarning />
    </DialogStack>
  )
}

/** Remembers the address after each navigation, so that the next sign-in can return to it. */
function useKeptPath(): void {
  const { username } = useSession()
  const href = useRouterState({ select: (state) => state.location.href })
  useEffect(() => {
    keepPath(withoutBase(href), username)
  }, [href, username])
}
