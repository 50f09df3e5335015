import { TextInput } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { Found, FoundKind } from '@pillar/contract/access/find-admin'
import { withoutWholeKey } from '@pillar/domain/text/find-term'
import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useRead } from '../../api/client.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import { Failed } from '../../kit/display/states.tsx'
import { useSettled } from '../../kit/form/useSettled.ts'
import styles from './Find.module.css'
import { moveIn } from './move.ts'

const PAUSE_MS = 150

const KINDS: Record<FoundKind, string> = {
  company: 'Company',
  pharmacy: 'Pharmacy',
  user: 'User',
  template: 'Template',
  campaign: 'Campaign',
  trial: 'Clinical trial',
  recruiter: 'Recruiter or provider',
  sequence: 'Sequence',
  dashboard: 'Dashboard',
  upload: 'Upload',
}

/** Finds anything of the console by its name, its uuid or the beginning of its key, and opens the row where it stands. */
export function FindDialog({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const term = useSettled(withoutWholeKey(typed), PAUSE_MS)
  const read = useRead(contract.find.search, { term }, { enabled: term !== '', keepPrevious: true })
  const results = term === '' ? [] : (read.data?.results ?? [])
  const [at, setAt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another answer begins at its first row.
  useEffect(() => setAt(0), [read.data])
  const navigate = useNavigate()
  const id = useId()
  const open = ({ kind, uuid, tab, list, find, pharmacy }: Found) => {
    onClose()
    const within = { ...(pharmacy ? { pharmacy } : {}), ...(kind === 'upload' ? { upload: uuid } : {}) }
    void navigate({ to: '/settings', search: { tab, ...(list ? { list } : {}), find, ...within } })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moveIn(event.key, at, results.length)
    const chosen = event.key === 'Enter' && !read.isPlaceholderData ? results[at] : undefined
    if (next === null && !chosen) return
    event.preventDefault()
    if (next !== null) setAt(next)
    if (chosen) open(chosen)
  }
  return (
    <Dialog opened onClose={onClose} title="Find" size="confirm">
      <TextInput
        data-autofocus
        role="combobox"
        aria-label="Find"
        aria-expanded={results.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={results.length > 0 ? `${id}-${at}` : undefined}
        autoComplete="off"
        placeholder="A name, a uuid, or the beginning of an upload key"
        leftSection={<Icon of={Search} />}
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div aria-live="polite" className={styles.said}>
        {term === '' || read.error
          ? ''
          : read.isFetching && read.isPlaceholderData
            ? 'Searching…'
            : countOf(results.length, read.isLoading)}
      </div>
      {read.error ? <Failed title="Could not search" error={read.error} onRetry={() => void read.refetch()} /> : null}
      <div role="listbox" id={`${id}-list`} aria-label="Found" className={styles.list}>
        {results.map((found, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keyboard, as in every combobox.
          <div
            key={`${found.kind}${found.uuid}`}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={styles.option}
            ref={index === at ? intoView : undefined}
            onMouseMove={() => setAt(index)}
            onClick={() => open(found)}
          >
            <span className={styles.name}>{found.name}</span>
            <span className={styles.detail}>{found.detail}</span>
            <span className={styles.kind}>{KINDS[found.kind]}</span>
          </div>
        ))}
      </div>
    </Dialog>
  )
}

const intoView = (row: HTMLElement | null) => row?.scrollIntoView({ block: 'nearest' })

function countOf(count: number, loading: boolean): string {
  if (loading) return 'Searching…'
  return count === 0 ? 'Nothing matches' : `${count} found`
}
