import { contract } from '@pillar/contract'
import { togglesOf } from '@pillar/domain/campaign/campaign-rule'
import { send, useRead } from '../../../api/client.ts'
import { FormDialog } from '../../../kit/dialog/FormDialog.tsx'
import { creating, editing } from '../../../kit/dialog/form-words.ts'
import { BatchNote } from '../../../kit/form/BatchNote.tsx'
import { everyCompany } from '../../company/company-words.ts'
import { TemplateFields } from '../TemplateFields.tsx'
import { EMPTY } from '../template-values.ts'
import { MadeFromTemplates } from './MadeFromTemplates.tsx'
import { batchOf, type Chosen, changesOf, type Edited, problemsOf, templates, valuesOf } from './template-admin.ts'

const calls = contract.templateRecommendation

const NEW = { values: EMPTY, differ: [], before: null, note: '' }

/** One recommended template or several, or a new one. */
export function RecommendedTemplateDialog({ edited, onClose }: { edited: Edited | null; onClose: () => void }) {
  const { values, differ, before, note } = edited ? batchOf(edited) : NEW
  const companies = useRead(contract.company.list, {}).data?.data.length
  const id = edited?.rows.length === 1 ? edited.chosen.template_ids?.[0] : undefined
  return (
    <FormDialog
      size="M"
      keeps
      words={
        edited
          ? editing(
              edited.rows.length === 1 ? 'recommended template' : 'recommended templates',
              'Template Updated Successfully.',
            )
          : creating('recommended template', 'Template Created Successfully.')
      }
      call={edited ? calls.edit : calls.create}
      ask={(input: { name?: string | null | undefined } & Chosen) =>
        edited
          ? {
              title: `Update ${templates(input)}?`,
              consequence: (
                <MadeFromTemplates chosen={edited.chosen}>Companies see the new text from now on.</MadeFromTemplates>
              ),
              button: `Update ${templates(input)}`,
            }
          : {
              title: `Create ${input.name}?`,
              consequence: `It is offered to ${everyCompany(companies)}.`,
              button: 'Create template',
            }
      }
      initial={values}
      input={(now) => {
        const { communication_type: type, ...changes } = changesOf(now, before)
        return { ...edited?.chosen, ...changes, ...(type ? togglesOf(type) : {}) }
      }}
      check={(now) => problemsOf(now, differ, 'company')}
      {...(id ? { latest: async () => valuesOf(await send(calls.info, { id })) } : {})}
      onClose={(answer) => {
        if (answer) edited?.clear()
        onClose()
      }}
    >
      {(f, now) => (
        <>
          <BatchNote>{note}</BatchNote>
          <TemplateFields f={f} values={now} />
        </>
      )}
    </FormDialog>
  )
}
