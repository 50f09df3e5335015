import { Button } from '@mantine/core'
import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Icon } from '../../display/Icon.tsx'

/**
 * The dialog of a list page: a button that opens it for a new row, `edit` for an existing one, and the dialog itself while it is open.
 * @param dialog renders it; null for a new row
 */
export function useEdited<Row>(create: string, dialog: (row: Row | null, close: () => void) => ReactNode) {
  const [edited, setEdited] = useState<{ row: Row | null } | null>(null)
  return {
    edit: (row: Row) => setEdited({ row }),
    button: (
      <Button variant="filled" leftSection={<Icon of={Plus} />} onClick={() => setEdited({ row: null })}>
        {create}
      </Button>
    ),
    dialog: edited ? dialog(edited.row, () => setEdited(null)) : null,
  }
}
