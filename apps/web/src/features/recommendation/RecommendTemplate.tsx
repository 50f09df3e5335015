import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { TemplateRecommendation } from '@pillar/contract/template/template'
import { CircleAlert } from 'lucide-react'
import { useId } from 'react'
import type { Ask } from '../../api/client.ts'
import frame from '../../kit/dialog/Dialog.module.css'
import form from '../../kit/dialog/FormDialog.module.css'
import { useFormDialog } from '../../kit/dialog/useFormDialog.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { MessageTabs } from '../template/MessageTabs.tsx'
import styles from '../template/Template.module.css'
import { TemplateFields } from '../template/TemplateFields.tsx'
import { problemsOf, type TemplateValues, valuesOf, wireOf } from '../template/template-values.ts'

const create = contract.template.create
const WORDS = {
  title: 'Recommended template',
  button: 'Activate',
  busy: 'Activating...',
  done: 'Template activated',
  what: 'this template',
}
const ASK: Ask<typeof create> = ({ name }) => ({
  title: `Activate “${name}”?`,
  consequence: 'It becomes one of your templates, ready to use in campaigns. Nothing is sent now.',
  button: 'Activate template',
})

interface RecommendTemplateProps {
  recommended: TemplateRecommendation
  onCancel: () => void
  onDone: (templateId: string) => void
}

/** A recommended template in the editor; Activate makes it the company's own. */
export function RecommendTemplate({ recommended, onCancel, onDone }: RecommendTemplateProps) {
  const { template_recommendation_id } = recommended
  const id = useId()
  const state = useFormDialog<TemplateValues, typeof create>(
    {
      words: WORDS,
      call: create,
      initial: valuesOf(recommended),
      input: (now) => ({ ...wireOf(now), active: true, template_recommendation_id }),
      check: problemsOf,
      keeps: true,
      onClose: (made) => (made ? onDone(made.id) : onCancel()),
    },
    ASK,
  )
  const { bind, busy, said } = state
  const now = state.form.getValues()
  return (
    <>
      <form
        ref={state.box}
        id={id}
        className={`${styles.scroll} ${form.form}`}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          state.save()
        }}
      >
        <TemplateFields f={bind} values={now} message={<MessageTabs {...bind('body', 'Message')} values={now} />} />
      </form>
      {said ? (
        <div className={frame.error} role="alert">
          <Icon of={CircleAlert} /> <span>{said}</span>
        </div>
      ) : null}
      <div className={frame.foot}>
        <Button onClick={state.leave} disabled={busy}>
          Cancel
        </Button>
        <Button type="submit" form={id} variant="filled" aria-disabled={busy}>
          {busy ? WORDS.busy : WORDS.button}
        </Button>
      </div>
    </>
  )
}
