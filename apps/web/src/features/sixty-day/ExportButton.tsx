import { Button } from '@mantine/core'
import { Download } from 'lucide-react'
import { Icon } from '../../kit/display/Icon.tsx'
import { useFile } from '../../kit/display/useFile.ts'

/** The file contains the present table, with all its pages. */
export function ExportButton({ ready, ask }: { ready: boolean; ask: Parameters<typeof useFile>[0] }) {
  const { busy, save } = useFile(ask)
  return (
    <Button
      leftSection={<Icon of={Download} />}
      loading={busy}
      disabled={!ready}
      title={ready ? undefined : 'There is nothing to export yet'}
      onClick={save}
    >
      Export CSV
    </Button>
  )
}
