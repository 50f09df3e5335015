import { Button, Menu } from '@mantine/core'
import { type SavedView, savedView } from '@pillar/contract/saved-view'
import { Bookmark, BookmarkPlus, Check, Settings2, Star, StarOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useRead, useWrite } from '../../api/client.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { Unknown } from '../../kit/display/Tag.tsx'
import { start } from '../../kit/list/acts.tsx'
import { ViewForm } from './ViewForm.tsx'
import { ViewsDialog } from './ViewsDialog.tsx'
import { sameState, type ViewState } from './view-state.ts'

interface SavedViewsProps {
  /** The screen's state in the address bar. */
  state: ViewState
  /** Shows a view; `replace` leaves no entry for Back. */
  onOpen: (state: ViewState, how: 'push' | 'replace') => void
}

/** The menu of saved views: open one, save the screen, and choose the view the screen opens with. */
export function SavedViews({ state, onOpen }: SavedViewsProps) {
  const read = useRead(savedView.list, {})
  const views = read.data?.views ?? []
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null)
  useDefault(views, state, onOpen)
  const current = views.find((view) => sameState(view.state, state))
  const mine = views.filter((view) => view.mine)
  const shared = views.filter((view) => !view.mine)
  const item = (view: SavedView) => (
    <Menu.Item
      key={view.id}
      leftSection={<Icon of={view.is_default ? Star : Bookmark} label={view.is_default ? 'opens by itself' : ''} />}
      rightSection={view === current ? <Icon of={Check} size={14} label="shown" /> : null}
      onClick={() => onOpen(view.state, 'push')}
    >
      {view.name}
    </Menu.Item>
  )
  return (
    <>
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          {/* The view that opens by itself may be among them. */}
          <Button leftSection={<Icon of={Bookmark} />}>
            {current ? current.name : 'Views'}
            {read.error && !read.data ? <Unknown why="Could not load the saved views" /> : null}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
          {/* First, so that views loading later do not move anything somebody is about to press. */}
          <Menu.Item leftSection={<Icon of={BookmarkPlus} />} onClick={() => setDialog('save')}>
            Save this view…
          </Menu.Item>
          <Menu.Divider />
          {read.data ? null : <Menu.Label>{read.error ? 'Could not load the saved views' : 'Loading…'}</Menu.Label>}
          {read.error ? (
            <Menu.Item closeMenuOnClick={false} onClick={() => void read.refetch()}>
              Try again
            </Menu.Item>
          ) : null}
          {read.data && views.length === 0 ? <Menu.Label>No saved views yet</Menu.Label> : null}
          {mine.length > 0 ? <Menu.Label>My views</Menu.Label> : null}
          {mine.map(item)}
          {shared.length > 0 ? <Menu.Label>Shared with the company</Menu.Label> : null}
          {shared.map(item)}
          {views.length > 0 ? <Menu.Divider /> : null}
          {current ? <DefaultItem view={current} /> : null}
          {views.length > 0 ? (
            <Menu.Item leftSection={<Icon of={Settings2} />} onClick={() => setDialog('manage')}>
              Manage views…
            </Menu.Item>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'save' ? <ViewForm state={state} close={() => setDialog(null)} /> : null}
      {dialog === 'manage' ? <ViewsDialog views={views} state={state} close={() => setDialog(null)} /> : null}
    </>
  )
}

function DefaultItem({ view }: { view: SavedView }) {
  const write = useWrite(savedView.setDefault, {
    done: (_, { id }) => (id === null ? 'Financials opens without a view' : `Financials opens with ${view.name}`),
  })
  return (
    <Menu.Item
      leftSection={<Icon of={view.is_default ? StarOff : Star} />}
      onClick={() => start({ run: () => write.mutateAsync({ id: view.is_default ? null : view.id }) })}
    >
      {view.is_default ? 'Stop opening with this view' : 'Open Financials with this view'}
    </Menu.Item>
  )
}

/** Shows the default view if the screen is opened with an empty address, but not again after a reset. */
function useDefault(views: readonly SavedView[], state: ViewState, onOpen: SavedViewsProps['onOpen']): void {
  const seen = useRef(false)
  const found = views.find((view) => view.is_default)
  const bare = Object.keys(state).length === 0
  useEffect(() => {
    if (seen.current || (bare && views.length === 0)) return
    seen.current = true
    if (bare && found) onOpen(found.state, 'replace')
  }, [bare, found, views, onOpen])
}
