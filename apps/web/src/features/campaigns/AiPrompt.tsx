import { Button, NativeSelect, Textarea } from '@mantine/core'
import { contract } from '@pillar/contract'
import { communicationType } from '@pillar/domain/campaign-rule'
import { ShieldAlert, Sparkles } from 'lucide-react'
import { useState } from 'react'
import { useWrite } from '../../api/client.ts'
import { confirm } from '../../kit/confirm.tsx'
import { Icon } from '../../kit/Icon.tsx'
import { MessageText } from '../../kit/MessageText.tsx'
import { Failed, Loading } from '../../kit/states.tsx'
import { StarterDrafts } from './StarterDrafts.tsx'
import styles from './Template.module.css'
import type { TemplateDraft } from './template-draft.ts'
import { useMessageGroups } from './useMessageGroups.ts'

interface AiPromptProps {
  draft: TemplateDraft
  /** Puts a text in place of the message and goes back to writing. */
  onInsert: (text: string) => void
}

/** Text for a message: asked of the AI service where there is one, otherwise chosen from starter drafts. */
export function AiPrompt({ draft, onInsert }: AiPromptProps) {
  const { groups, ai, error, retry } = useMessageGroups()
  const [category, setCategory] = useState('')
  const [subcategory, setSubcategory] = useState('')
  const [prompt, setPrompt] = useState('')
  const ask = useWrite(contract.template.draft)
  const about = {
    category_name: category || null,
    subcategory_name: subcategory || null,
    communication_type: communicationType(draft.sms, draft.email),
  }
  const insert = async (text: string) => {
    const replaced = draft.body.trim() !== ''
    const sure =
      !replaced ||
      (await confirm({
        title: 'Replace the message?',
        consequence: 'The message you have written is replaced by this text.',
        label: 'Replace the message',
        act: () => Promise.resolve(),
      }))
    if (sure) onInsert(text)
  }
  if (error) return <Failed title="Could not load categories" error={error} onRetry={retry} />
  const subcategories = groups.find((group) => group.category === category)?.subcategories ?? []
  return (
    <div className={styles.prompt}>
      <div className={styles.pair}>
        <NativeSelect
          label="Category"
          value={category}
          data={[{ value: '', label: 'Any' }, ...groups.map((group) => group.category)]}
          onChange={(event) => {
            setCategory(event.currentTarget.value)
            setSubcategory('')
          }}
        />
        <NativeSelect
          label="Subcategory"
          value={subcategory}
          disabled={category === ''}
          data={[{ value: '', label: category === '' ? 'Choose a category first' : 'Any' }, ...subcategories]}
          onChange={(event) => setSubcategory(event.currentTarget.value)}
        />
      </div>
      {ai ? (
        <>
          <Textarea
            label="What should the message say?"
            autosize
            minRows={3}
            maxLength={2000}
            value={prompt}
            onChange={(event) => setPrompt(event.currentTarget.value)}
          />
          <p className={styles.warning}>
            <Icon of={ShieldAlert} />
            <span>
              Leave out anything that identifies a patient: what you write here goes to an outside service. Review the
              text before you send it.
            </span>
          </p>
          <div className={styles.ask}>
            {prompt.trim() === '' ? <span className="muted">Say what the message is about first</span> : null}
            <Button
              variant="filled"
              leftSection={<Icon of={Sparkles} />}
              disabled={prompt.trim() === ''}
              loading={ask.isPending}
              onClick={() => ask.mutate({ prompt, ...about })}
            >
              {ask.data ? 'Ask again' : 'Ask AI'}
            </Button>
          </div>
          {ask.isPending ? <Loading rows={2} words="Writing..." /> : null}
          {ask.error ? <Failed title="No text was written" error={ask.error} /> : null}
          {ask.data && !ask.isPending ? (
            <section className={styles.draft} aria-label="Answer">
              <MessageText text={ask.data.template_text} />
              <Button onClick={() => void insert(ask.data.template_text)}>Use this text</Button>
            </section>
          ) : null}
        </>
      ) : (
        <StarterDrafts about={about} onInsert={(text) => void insert(text)} />
      )}
    </div>
  )
}
