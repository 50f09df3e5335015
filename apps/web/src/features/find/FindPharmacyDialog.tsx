import { location } from '@pillar/contract/company/location'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead } from '../../api/client.ts'
import { Failed } from '../../kit/display/states.tsx'
import { FindBox } from './FindBox.tsx'
import { namedLike } from './named-like.ts'

/** The number listed; a longer search term finds the rest. */
const MOST = 12

const NONE: never[] = []

/** Finds a pharmacy of the company by its name, and opens its page. */
export function FindPharmacyDialog({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const read = useRead(location.pharmacies, {})
  const found = namedLike(read.data?.data ?? NONE, typed)
  const navigate = useNavigate()
  const open = (id: string) => void navigate({ to: '/financials/pharmacy/$id', params: { id }, search: {} })
  return (
    <FindBox
      title="Find a pharmacy"
      placeholder="Its name, or parts of it"
      typed={typed}
      onType={setTyped}
      rows={found.slice(0, MOST).map(({ uuid, name }) => ({ key: uuid, name, open: () => open(uuid) }))}
      said={read.isError ? '' : read.data ? countOf(found.length) : 'Loading the pharmacies…'}
      answer={typed}
      failed={
        read.isError ? (
          <Failed title="Could not load the pharmacies" error={read.error} onRetry={() => void read.refetch()} />
        ) : null
      }
      onClose={onClose}
    />
  )
}

function countOf(count: number): string {
  if (count === 0) return 'No pharmacy matches'
  const all = `${count.toLocaleString('en-AU')} ${count === 1 ? 'pharmacy' : 'pharmacies'}`
  return count > MOST ? `${all}, the first ${MOST} are shown` : all
}
