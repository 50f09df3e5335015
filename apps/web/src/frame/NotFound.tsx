import { Button } from '@mantine/core'
import { matchRoute, NOT_FOUND_TITLE } from '@pillar/domain/access/permission'
import { leave } from '../session/session.ts'
import { Mark } from '../shared/Mark.tsx'
import { hasMarker } from '../shared/marker.ts'
import { basePathOf, withoutBase } from '../shared/paths.ts'
import styles from './NotFound.module.css'
import { useProductName, useTitle } from './title.ts'

/** An address that leads nowhere. One that belongs to a screen of a later version says so. */
export function NotFound() {
  useTitle(NOT_FOUND_TITLE)
  const product = useProductName()
  const planned = matchRoute(withoutBase(window.location.pathname))
  return (
    <main className={styles.page}>
      <span className={styles.mark}>
        <Mark size={40} />
      </span>
      <h1>{NOT_FOUND_TITLE}</h1>
      <p>
        {planned
          ? `${planned.title} is not part of this version of ${product} yet.`
          : 'There is nothing at this address. It may have been mistyped or moved.'}
      </p>
      <a href={`${basePathOf(window.location.pathname)}/login`}>Login</a>
      {hasMarker() ? (
        <Button variant="subtle" onClick={() => leave('signed-out', true)}>
          Signout
        </Button>
      ) : null}
    </main>
  )
}
