import { NativeSelect } from '@mantine/core'
import { communicationType } from '@pillar/domain/campaign-rule'
import { useState } from 'react'
import { confirm } from '../../kit/dialog/question.ts'
import { Failed } from '../../kit/display/states.tsx'
import { AiAsk } from './AiAsk.tsx'
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
        button: 'Replace the message',
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
        <AiAsk about={about} onInsert={(text) => void insert(text)} />
      ) : (
        <StarterDrafts about={about} onInsert={(text) => void insert(text)} />
      )}
    </div>
  )
}
