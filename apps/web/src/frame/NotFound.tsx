import { Button } from '@mantine/core'
import { NOT_FOUND_TITLE } from '@pillar/domain/access/permission'
import { leave } from '../session/session.ts'
import { Mark } from '../shared/Mark.tsx'
import { hasMarker } from '../shared/marker.ts'
import { basePathOf } from '../shared/paths.ts'
import styles from './NotFound.module.css'
import { useTitle } from './title.ts'

/** The page for an unknown address. */
export function NotFound() {
  useTitle(NOT_FOUND_TITLE)
  return (
    <main className={styles.page}>
      <span className={styles.mark}>
        <Mark size={40} />
      </span>
      <h1>{NOT_FOUND_TITLE}</h1>
      {hasMarker() ? (
        <>
          <p>Check the address for typing mistakes, or use one of the links below.</p>
          <a href={basePathOf(window.location.pathname) || '/'}>Open the start page</a>
          <Button variant="subtle" onClick={() => leave('signed-out', true)}>
            Sign out
          </Button>
        </>
      ) : (
        <>
          <p>Check the address for typing mistakes, or sign in and use the menu.</p>
          <a href={`${basePathOf(window.location.pathname)}/login`}>Sign in</a>
        </>
      )}
    </main>
  )
}
