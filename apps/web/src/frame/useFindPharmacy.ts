import { useRouterState } from '@tanstack/react-router'
import { fetched } from '../kit/dialog/fetched.tsx'
import { useFind } from '../kit/dialog/useFind.tsx'
import { useSession } from '../session/session.ts'
import { withoutBase } from '../shared/paths.ts'

const FindPharmacyDialog = fetched(
  async () => (await import('../features/find/FindPharmacyDialog.tsx')).FindPharmacyDialog,
)

/** Ctrl+K finds a pharmacy, for people who may open its page; in Settings the same key finds Settings' own items. Without `open` it is disabled. */
export function useFindPharmacy() {
  const { data_analytics: mayOpen } = useSession()
  const settings = useRouterState({ select: ({ location }) => withoutBase(location.pathname).startsWith('/settings') })
  const { open, dialog } = useFind(FindPharmacyDialog, mayOpen && !settings)
  return { open: mayOpen ? open : undefined, dialog }
}
