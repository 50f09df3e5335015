import { type SavedView, savedView } from '@pillar/contract/saved-view'
import { viewProblems } from '@pillar/domain/saved-view/saved-view'
import { send } from '../../api/client.ts'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { SwitchField, TextField } from '../../kit/form/fields.tsx'
import type { ViewState } from './view-state.ts'

const SHARED = 'Everyone at the company who sees Financials can open it; only you can change it.'

/** Saves the screen under a name. */
export function ViewForm({ state, close }: { state: ViewState; close: () => void }) {
  return (
    <FormDialog
      words={{ title: 'Save this view', button: 'Save', busy: 'Saving...', done: 'View saved', what: 'this view' }}
      call={savedView.create}
      initial={{ name: '', shared: false }}
      input={(values: { name: string; shared: boolean }) => ({ ...values, state })}
      check={({ name }) => viewProblems(name)}
      onClose={close}
    >
      {(f) => (
        <>
          <p className="muted">
            Keeps the filters, group, statistic, columns and order on screen, and the dates.{' '}
            {state.period === undefined
              ? 'As no other dates are chosen, it always opens with the running financial year.'
              : 'It opens with these dates also when they are over.'}
          </p>
          <TextField {...f('name', 'Name')} />
          <SwitchField {...f('shared', 'Share with the company')} description={SHARED} />
        </>
      )}
    </FormDialog>
  )
}

const valuesOf = ({ name, shared, version }: SavedView) => ({ name, shared, version })

/** Renames a view, and shares it or stops sharing it. */
export function RenameForm({ view, close }: { view: SavedView; close: () => void }) {
  return (
    <FormDialog
      words={{ title: 'Change the view', button: 'Update', busy: 'Saving...', done: 'View updated', what: 'this view' }}
      call={savedView.edit}
      initial={valuesOf(view)}
      input={(values) => ({ ...values, id: view.id })}
      check={({ name }) => viewProblems(name)}
      latest={async () => {
        const { views } = await send(savedView.list, {})
        return valuesOf(views.find(({ id }) => id === view.id) ?? view)
      }}
      onClose={close}
    >
      {(f) => (
        <>
          <TextField {...f('name', 'Name')} />
          <SwitchField {...f('shared', 'Share with the company')} description={SHARED} />
        </>
      )}
    </FormDialog>
  )
}
