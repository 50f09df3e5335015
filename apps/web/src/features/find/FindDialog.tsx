import { contract } from '@pillar/contract'
import type { Found, FoundKind } from '@pillar/contract/access/find-admin'
import { withoutWholeKey } from '@pillar/domain/text/find-term'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead } from '../../api/client.ts'
import { Failed } from '../../kit/display/states.tsx'
import { useSettled } from '../../kit/form/useSettled.ts'
import { FindBox } from './FindBox.tsx'

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

/** Finds anything in the console by name, uuid or the beginning of its key, and opens it in its list. */
export function FindDialog({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const term = useSettled(withoutWholeKey(typed), PAUSE_MS)
  const read = useRead(contract.find.search, { term }, { enabled: term !== '', keepPrevious: true })
  const results = term === '' ? [] : (read.data?.results ?? [])
  const navigate = useNavigate()
  const open = ({ kind, uuid, tab, list, find, pharmacy }: Found) => {
    const within = { ...(pharmacy ? { pharmacy } : {}), ...(kind === 'upload' ? { upload: uuid } : {}) }
    void navigate({ to: '/settings', search: { tab, ...(list ? { list } : {}), find, ...within } })
  }
  return (
    <FindBox
      title="Find"
      placeholder="A name, a uuid, or the beginning of an upload key"
      typed={typed}
      onType={setTyped}
      rows={results.map((found) => ({
        ...{ key: `${found.kind}${found.uuid}`, name: found.name, detail: found.detail, kind: KINDS[found.kind] },
        open: () => open(found),
      }))}
      said={
        term === '' || read.error
          ? ''
          : read.isFetching && read.isPlaceholderData
            ? 'Searching…'
            : countOf(results.length, read.isLoading)
      }
      answer={read.data}
      stale={read.isPlaceholderData}
      failed={
        read.error ? <Failed title="Could not search" error={read.error} onRetry={() => void read.refetch()} /> : null
      }
      onClose={onClose}
    />
  )
}

function countOf(count: number, loading: boolean): string {
  if (loading) return 'Searching…'
  return count === 0 ? 'Nothing matches' : `${count} found`
}
