import { Button } from '@mantine/core'
import type { DialogProps } from '../../frame/dialog-address.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { Failed, Loading, NothingYet } from '../../kit/display/states.tsx'
import { EditTemplate, NewTemplate } from './TemplateDialog.tsx'
import { useFound, useTemplates } from './useTemplates.ts'

/** New Template, opened from the address bar; leads to the list with the new one selected. */
export function NewTemplateDialog({ close, open }: DialogProps) {
  return <NewTemplate onClose={close} onMade={({ template_id }) => open('templates', { template: template_id })} />
}

/** Edit Template of the template in the address bar. */
export function EditTemplateDialog({ search, open }: DialogProps) {
  // Read again, so that the version is the newest.
  const pages = useTemplates({}, { fresh: true })
  const { row, looking } = useFound(pages, search.template, (template) => template.template_id)
  const back = () => open('templates', { template: search.template })
  if (row && !row.demo) {
    return (
      <EditTemplate
        key={row.template_id}
        template={row}
        onClose={back}
        onSaved={(id) => open('templates', { template: id })}
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
        <NothingYet title={row ? 'Demo templates cannot be edited' : 'This template no longer exists'} />
      )}
    </Dialog>
  )
}
