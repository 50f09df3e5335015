import type { AskOf } from '@pillar/contract'
import { contract } from '@pillar/contract'
import { useEffect, useRef, useState } from 'react'
import { follow } from '../../../api/follow.ts'
import { RefusedError, wordsOf } from '../../../shared/refused.ts'

/** A draft while it is being written and afterwards. */
export interface AiDraft {
  state: 'none' | 'writing' | 'done' | 'stopped' | 'failed'
  /** The text so far. */
  text: string
  error: RefusedError | null
}

const NONE: AiDraft = { state: 'none', text: '', error: null }

/** Asks the AI service for a text and follows it as it grows. Leaving the screen stops it, at the service as well. */
export function useAiDraft() {
  const [draft, setDraft] = useState(NONE)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const ask = async (input: AskOf<typeof contract.template.draft>) => {
    running.current?.abort()
    const own = new AbortController()
    running.current = own
    const set = (next: (old: AiDraft) => AiDraft) => {
      if (running.current === own) setDraft(next)
    }
    setDraft({ ...NONE, state: 'writing' })
    try {
      const grown = (part: unknown) =>
        set((old) => ({ ...old, text: (part as { template_text: string }).template_text }))
      const { template_text: text } = await follow(contract.template.draft, input, grown, own.signal)
      set(() => ({ state: 'done', text, error: null }))
    } catch (thrown) {
      if (own.signal.aborted) return
      const error = thrown instanceof RefusedError ? thrown : new RefusedError(0, wordsOf(thrown))
      set((old) => ({ ...old, state: 'failed', error }))
    } finally {
      if (running.current === own) running.current = null
    }
  }
  const stop = () => {
    running.current?.abort()
    running.current = null
    setDraft((old) => ({ ...old, state: 'stopped' }))
  }
  return { draft, ask, stop }
}
