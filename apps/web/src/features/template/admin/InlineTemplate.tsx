import { contract } from '@pillar/contract'
import { templateProblems, togglesOf } from '@pillar/domain/campaign/campaign-rule'
import { FormDialog } from '../../../kit/dialog/FormDialog.tsx'
import { creating } from '../../../kit/dialog/form-words.ts'
import type { SelectOption } from '../../../kit/form/multi-select-model.ts'
import { TemplateFields } from '../TemplateFields.tsx'
import { EMPTY, type TemplateValues } from '../template-values.ts'
import { changesOf } from './template-admin.ts'

/** The audience of a template created inside another form: one company, or every one. */
export type InlineTemplateFor = { uuid: string; name: string } | 'recommended'

interface InlineTemplateProps {
  of: InlineTemplateFor
  /** Gets the template as an option of a templates field, or nothing if the person leaves. */
  onClose: (made?: SelectOption) => void
}

const CREATED = 'Template Created Successfully.'
const check = (now: TemplateValues) => templateProblems({ ...now, ...togglesOf(now.type) })
const textOf = (now: TemplateValues) => {
  const { communication_type: _, ...text } = changesOf(now, null)
  return { ...text, name: now.name, body: now.body, message_kind: now.message_kind || ('health_outreach' as const) }
}

/** A template created while a campaign is written; it is active if a company gets it. */
export function InlineTemplate({ of, onClose }: InlineTemplateProps) {
  if (of === 'recommended') {
    return (
      <FormDialog
        size="M"
        keeps
        words={creating('recommended template', CREATED)}
        call={contract.templateRecommendation.create}
        ask="Every company can start from it."
        initial={EMPTY}
        input={(now) => ({ ...textOf(now), ...togglesOf(now.type) })}
        check={check}
        onClose={(answer, saved) =>
          onClose(answer && saved ? { value: `recommended:${answer.id}`, label: saved.name.trim() } : undefined)
        }
      >
        {(f, now) => <TemplateFields f={f} values={now} />}
      </FormDialog>
    )
  }
  return (
    <FormDialog
      size="M"
      keeps
      words={creating('company template', CREATED)}
      call={contract.templateAdmin.create}
      ask={`${of.name} gets it as an active enterprise template.`}
      initial={EMPTY}
      input={(now) => ({
        ...textOf(now),
        ...{ communication_type: now.type, active: true, enterprise_template: true },
        ...{ company_choice: 'specific' as const, companies: [of.uuid] },
      })}
      check={check}
      onClose={(answer, saved) =>
        onClose(answer?.ids[0] && saved ? { value: `own:${answer.ids[0]}`, label: saved.name.trim() } : undefined)
      }
    >
      {(f, now) => <TemplateFields f={f} values={now} />}
    </FormDialog>
  )
}
