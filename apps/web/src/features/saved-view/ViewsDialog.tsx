import { Button } from '@mantine/core'
import { type SavedView, savedView } from '@pillar/contract/saved-view'
import { Pencil, Replace, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useWrite } from '../../api/client.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { confirm } from '../../kit/dialog/question.ts'
import { RowActs } from '../../kit/list/acts.tsx'
import styles from './SavedView.module.css'
import { RenameForm } from './ViewForm.tsx'
import { sameState, type ViewState } from './view-state.ts'

interface ViewsDialogProps {
  views: readonly SavedView[]
  /** The screen's state, which can replace a view's. */
  state: ViewState
  close: () => void
}

/** All views: rename, share, replace with the screen, remove. */
export function ViewsDialog({ views, state, close }: ViewsDialogProps) {
  const [renamed, setRenamed] = useState<SavedView | null>(null)
  const edit = useWrite(savedView.edit, { done: 'View replaced', rereads: true })
  const remove = useWrite(savedView.remove, { done: 'View removed' })
  const actsOf = (view: SavedView) => {
    const kept = view.may_change ? undefined : `Only ${view.made_by ?? 'whoever made it'} can change this view`
    const same = sameState(view.state, state) ? 'The screen shows just this' : undefined
    return [
      { label: 'Rename or share', icon: Pencil, disabled: kept, run: () => setRenamed(view) },
      {
        label: 'Replace with what is on screen',
        icon: Replace,
        disabled: kept ?? same,
        run: () => edit.mutateAsync({ id: view.id, state, version: view.version }),
      },
      {
        label: 'Remove',
        icon: Trash2,
        danger: true,
        disabled: kept,
        run: () =>
          confirm({
            title: `Remove ${view.name}?`,
            consequence: view.shared
              ? 'It disappears for everybody it is shared with.'
              : 'It disappears from your views.',
            button: 'Remove view',
            danger: true,
            act: () => remove.mutateAsync({ id: view.id }),
          }),
      },
    ]
  }
  return (
    <Dialog opened title="Saved views" onClose={close} foot={<Button onClick={close}>Close</Button>}>
      {views.length === 0 ? <p>No saved views yet.</p> : null}
      <ul className={styles.list}>
        {views.map((view) => (
          <li key={view.id}>
            <span className={styles.words}>
              <b>{view.name}</b>
              <span className="muted">{aboutText(view)}</span>
            </span>
            <span className={styles.acts}>
              <RowActs acts={actsOf(view)} of={view.name} />
            </span>
          </li>
        ))}
      </ul>
      {renamed ? <RenameForm view={renamed} close={() => setRenamed(null)} /> : null}
    </Dialog>
  )
}

/** 'Shared by Robin Vale', 'Shared with the company', 'Only for you'; and whether the screen opens with it. */
function aboutText({ mine, shared, made_by, is_default }: SavedView): string {
  const who = mine ? (shared ? 'Shared with the company' : 'Only for you') : `Shared by ${made_by ?? 'a colleague'}`
  return is_default ? `${who}; Financials opens with it` : who
}
