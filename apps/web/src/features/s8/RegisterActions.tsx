import { Button } from '@mantine/core'
import { Download, RotateCw } from 'lucide-react'
import { Icon } from '../../kit/display/Icon.tsx'
import { useFile } from '../../kit/display/useFile.ts'
import type { RegisterFrame } from './register-frame.ts'

/** The input for a register's file: the rows of the list, in its order. */
interface Asked extends Record<string, unknown> {
  location_uuid: string
  sort_field: string
  sort_order: string
  timezone: string
}

interface Props {
  pharmacy: string
  frame: RegisterFrame
  list: { filter: object; sort: { field: string; order: string } | null; retry: () => void }
  /** Requests the file. */
  ask: (asked: Asked) => ReturnType<Parameters<typeof useFile>[0]>
}

/** The acts on either register: read it again, and export the list. */
export function RegisterActions({ pharmacy, frame, list, ask }: Props) {
  const { field: sort_field, order: sort_order } = list.sort!
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const file = useFile(() => ask({ ...list.filter, location_uuid: pharmacy, sort_field, sort_order, timezone }))
  return (
    <>
      {frame.actions}
      <Button leftSection={<Icon of={RotateCw} />} onClick={list.retry}>
        Refresh
      </Button>
      <Button leftSection={<Icon of={Download} />} loading={file.busy} onClick={file.save}>
        Export CSV
      </Button>
    </>
  )
}
