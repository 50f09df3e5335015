import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { TemplateRecommendation } from '@pillar/contract/template'
import { CircleAlert } from 'lucide-react'
import { useRef, useState } from 'react'
import { useWrite } from '../../api/client.ts'
import frame from '../../kit/dialog/Dialog.module.css'
import { useUnsaved } from '../../kit/dialog/useUnsaved.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { toast } from '../../kit/display/toast.tsx'
import styles from './Template.module.css'
import { TemplateForm, type TemplateFormHandle } from './TemplateForm.tsx'
import { draftOf, fieldProblems, firstWrong, problemOf, sameDraft, wireOf } from './template-draft.ts'

interface RecommendTemplateProps {
  recommended: TemplateRecommendation
  onCancel: () => void
  onDone: (templateId: string) => void
}

/** A recommended template in the editor; Activate makes it the company's own. */
export function RecommendTemplate({ recommended, onCancel, onDone }: RecommendTemplateProps) {
  const [start] = useState(() => draftOf(recommended))
  const [draft, setDraft] = useState(start)
  const [checked, setChecked] = useState(false)
  const form = useRef<TemplateFormHandle>(null)
  const create = useWrite(contract.template.create, {
    ask: ({ name }) => ({
      title: `Activate “${name}”?`,
      consequence: 'It becomes one of your templates and can be used in campaigns at once. Nothing is sent by this.',
      button: 'Activate template',
    }),
  })
  const { leave, done } = useUnsaved(!sameDraft(start, draft), 'this template')
  const said = (checked && problemOf(draft)) || create.error?.message || null
  const activate = () => {
    if (create.isPending) return
    setChecked(true)
    create.reset()
    const first = firstWrong(fieldProblems(draft))
    if (first) {
      form.current?.focus(first)
      return
    }
    const { template_recommendation_id } = recommended
    create.mutate(
      { ...wireOf(draft), active: true, template_recommendation_id },
      {
        onSuccess: (made) => {
          if (!made) return
          toast('Template activated')
          done(() => onDone(made.id))
        },
      },
    )
  }
  return (
    <>
      <div className={styles.scroll}>
        <TemplateForm ref={form} draft={draft} onChange={setDraft} checked={checked} />
      </div>
      {said ? (
        <div className={frame.error} role="alert">
          <Icon of={CircleAlert} /> <span>{said}</span>
        </div>
      ) : null}
      <div className={frame.foot}>
        <Button onClick={() => leave(onCancel)} disabled={create.isPending}>
          Cancel
        </Button>
        <Button variant="filled" aria-disabled={create.isPending} onClick={activate}>
          {create.isPending ? 'Activating...' : 'Activate'}
        </Button>
      </div>
    </>
  )
}
