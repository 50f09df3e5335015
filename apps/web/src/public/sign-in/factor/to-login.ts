import { clearMarker, hasMarker, keepEnding } from '../../../shared/marker.ts'
import { basePathOf } from '../../../shared/paths.ts'

/** Leaves for the sign-in page, which says why the session ended. */
export function toLogin(ending: 'expired' | 'signed-out'): void {
  if (hasMarker()) keepEnding(ending)
  clearMarker()
  window.location.replace(`${basePathOf(window.location.pathname)}/login`)
}
