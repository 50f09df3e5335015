import { Button } from '@mantine/core'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { DialogProps } from '../../frame/dialog-address.ts'
import { useDialogFilters } from '../../frame/dialog-address.ts'
import { WideDialog } from '../../kit/dialog/WideDialog.tsx'
import { Icon } from '../../kit/display/Icon.tsx'
import { Loading, NothingYet } from '../../kit/display/states.tsx'
import { useSmall } from '../../kit/display/useSmall.ts'
import { TwoPane } from '../../kit/list/pane/TwoPane.tsx'
import styles from './Template.module.css'
import { TemplateDetail } from './TemplateDetail.tsx'
import { TemplatesDialogList, type TemplateType } from './TemplatesDialogList.tsx'
import { switchLabel } from './template-words.ts'
import { useTemplateActions } from './useTemplateActions.ts'
import { useFound, useTemplates } from './useTemplates.ts'

/** All templates of the company: a list with search and filters, and the selected one. */
export function TemplatesDialog({ search, close, open }: DialogProps) {
  const [type, setType] = useState<TemplateType>('all')
  const filter = useDialogFilters('templates', search)
  const term = String(search.search ?? '')
  const status = search.status ?? 'all'
  const pages = useTemplates({
    search_term: term,
    active: status === 'all' ? null : status === 'active',
    sms_template: type === 'sms',
    email_template: type === 'email',
  })
  const { row, looking } = useFound(pages, search.template, ({ template_id }) => template_id)
  const shown = row ?? (looking ? null : (pages.rows[0] ?? null))
  const small = useSmall()
  // On a small screen the buttons belong to the template in view, not to one in the list.
  const footed = small && search.template === undefined ? null : shown
  const actions = useTemplateActions(shown, () => filter({ template: undefined }))
  return (
    <WideDialog
      opened
      onClose={close}
      title="Templates"
      error={actions.error}
      footLeft={
        footed && !footed.demo ? (
          <Button
            variant="subtle"
            className={styles.delete}
            leftSection={<Icon of={Trash2} size={15} />}
            aria-disabled={actions.busy}
            onClick={actions.erase}
          >
            {actions.deleting ? 'Deleting...' : 'Delete…'}
          </Button>
        ) : null
      }
      foot={
        footed ? (
          <Button variant={footed.active ? 'default' : 'filled'} aria-disabled={actions.busy} onClick={actions.toggle}>
            {switchLabel(footed.active, actions.switching)}
          </Button>
        ) : null
      }
    >
      <TwoPane
        list={
          <TemplatesDialogList
            pages={pages}
            selected={shown?.template_id ?? null}
            filters={{ search: term, status, type }}
            onFilters={({ search, status, type }) => {
              setType(type)
              filter({
                search: search || undefined,
                status: status === 'all' ? undefined : status,
                template: undefined,
              })
            }}
            onSelect={(id) => filter({ template: id })}
            onNew={() => open('new-template')}
          />
        }
        listLabel="List of templates"
        detailLabel="Template"
        showDetail={search.template !== undefined && shown !== null}
        onBack={() => filter({ template: undefined })}
        detail={
          shown ? (
            <TemplateDetail template={shown} onEdit={() => open('edit-template', { template: shown.template_id })} />
          ) : looking ? (
            <Loading rows={4} />
          ) : pages.rows.length === 0 && !pages.loading ? (
            <NothingYet title="No template selected" />
          ) : null
        }
      />
    </WideDialog>
  )
}
