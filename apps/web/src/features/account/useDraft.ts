import { useState } from 'react'
import { useSession } from '../../session/session.ts'
import { type DraftPart, keepDraft, readDraft } from './account-draft.ts'

/** Ids selected in the wizard for a company, kept in this tab across reloads; null until somebody selects any. */
export function useDraft(company: string, part: DraftPart) {
  const { username } = useSession()
  const owner = { username, company }
  const [ids, setIds] = useState(() => readDraft(owner, part))
  const keep = (next: string[] | null) => {
    keepDraft(owner, part, next)
    setIds(next)
  }
  return [ids, keep] as const
}
