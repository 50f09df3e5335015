import { Button } from '@mantine/core'
import { contract } from '@pillar/contract'
import type { ConsentKind } from '@pillar/domain/consent/consent'
import { useQuery } from '@tanstack/react-query'
import { send } from '../../../api/client.ts'
import { Failed, Loading, NothingMatches } from '../../../kit/display/states.tsx'
import type { RefusedError } from '../../../shared/refused.ts'
import { MessageText } from '../editor/MessageText.tsx'
import styles from '../Template.module.css'

interface StarterDraftsProps {
  about: {
    category_name: string | null
    subcategory_name: string | null
    communication_type: 'sms' | 'email' | 'both'
    message_kind: ConsentKind
  }
  onInsert: (text: string) => void
}

/** Suitable texts from the library, to start from. People wrote them, so they are never called AI. */
export function StarterDrafts({ about, onInsert }: StarterDraftsProps) {
  // Declared as a write because it may ask an AI service; without one it only reads the library.
  const drafts = useQuery({
    queryKey: ['template.draft', about],
    queryFn: ({ signal }) => send(contract.template.draft, { prompt: '', ...about }, { signal }),
    staleTime: 10 * 60_000,
  })
  if (drafts.error) {
    const retry = () => void drafts.refetch()
    return <Failed title="Could not load starter drafts" error={drafts.error as RefusedError} onRetry={retry} />
  }
  if (!drafts.data) return <Loading rows={3} />
  const { template_text, drafts: more } = drafts.data
  const all = more.some(({ text }) => text === template_text)
    ? more
    : template_text === ''
      ? more
      : [{ title: 'Starter draft', text: template_text }, ...more]
  if (all.length === 0) return <NothingMatches title="No starter drafts for this category" />
  return (
    <>
      <p className={styles.hint}>Review the draft before you send it. You know your patients.</p>
      <ul className={styles.drafts} aria-label="Starter drafts">
        {all.map(({ title, text }) => (
          <li key={`${title}\n${text}`} className={styles.draft}>
            <h3>{title}</h3>
            <MessageText text={text} />
            <Button size="xs" onClick={() => onInsert(text)} aria-label={`Use ${title}`}>
              Use this draft
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}
