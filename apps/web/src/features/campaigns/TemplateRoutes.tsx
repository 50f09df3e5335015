import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import { useQueryClient } from '@tanstack/react-query'
import { nameOf } from '../../api/client.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { Failed, Loading, NothingYet } from '../../kit/display/states.tsx'
import type { DialogProps } from './dialogs.tsx'
import { TemplateDialog } from './TemplateDialog.tsx'
import { useFound, useTemplates } from './useTemplates.ts'

/** New Template, opened by the address bar; leads to the list with the new one picked. */
export function NewTemplateDialog({ close, open }: DialogProps) {
  return <TemplateDialog onClose={close} onSaved={(id) => open('templates', { template: id })} />
}

/** Edit Template of the template in the address bar. */
export function EditTemplateDialog({ search, open }: DialogProps) {
  const client = useQueryClient()
  // As it is now, so that the version is the newest.
  const pages = useTemplates({}, { fresh: true })
  const { row, looking } = useFound(pages, search.template, (template) => template.template_id)
  const back = () => open('templates', { template: search.template })
  if (row && !row.demo) {
    return (
      <TemplateDialog
        key={row.template_id}
        template={row}
        onClose={back}
        onSaved={(id) => open('templates', { template: id })}
        onStale={() => {
          // The list that this leads to is another reading than this one's.
          void client.invalidateQueries({ queryKey: [nameOf(contract.template.list)] })
          back()
        }}
      />
    )
  }
  return (
    <Dialog
      opened
      title="Edit Template"
      size="M"
      onClose={back}
      foot={<Button onClick={back}>Back to templates</Button>}
    >
      {looking ? (
        <Loading rows={4} />
      ) : pages.error ? (
        <Failed title="Could not load the template" error={pages.error} onRetry={pages.retry} />
      ) : (
        <NothingYet title={row ? 'A demo template cannot be edited' : 'This template is not there any more'} />
      )}
    </Dialog>
  )
}
