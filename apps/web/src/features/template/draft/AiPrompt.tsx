import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { confirm } from '../../../kit/dialog/question.ts'
import { Failed } from '../../../kit/display/states.tsx'
import styles from '../Template.module.css'
import type { TemplateValues } from '../template-values.ts'
import { useMessageGroups } from '../useMessageGroups.ts'
import { AiAsk } from './AiAsk.tsx'
import { StarterDrafts } from './StarterDrafts.tsx'

interface AiPromptProps {
  values: TemplateValues
  /** Replaces the message with a text and goes back to writing. */
  onInsert: (text: string) => void
}

/** Text for a message: from the AI service if there is one, otherwise from starter drafts. */
export function AiPrompt({ values, onInsert }: AiPromptProps) {
  const { groups, ai, error, retry } = useMessageGroups()
  const [category, setCategory] = useState('')
  const [subcategory, setSubcategory] = useState('')
  const about = {
    category_name: category || null,
    subcategory_name: subcategory || null,
    communication_type: values.type ?? 'both',
    message_kind: values.message_kind || 'health_outreach',
  }
  const insert = async (text: string) => {
    const replaced = values.body.trim() !== ''
    const sure =
      !replaced ||
      (await confirm({
        title: 'Replace the message?',
        consequence: 'This text will replace the message you have written.',
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
