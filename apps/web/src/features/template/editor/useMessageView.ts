import type { MergeField } from '@pillar/domain/message/merge-field'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { MessageView } from './message-codemirror.ts'

interface Options {
  value: string
  onChange: (value: string) => void
  fields: readonly MergeField[]
  singleLine: boolean
  optOut: boolean
  attributes: Record<string, string>
}

interface Result {
  /** The element for the editor. */
  area: RefObject<HTMLDivElement | null>
  /** A plain text area that serves until the editor has loaded, or if it cannot. */
  fallback: RefObject<HTMLTextAreaElement | null>
  ready: boolean
  view: RefObject<MessageView | null>
}

/** Loads the editor once it is shown and keeps it in sync with the value. Typing begun in the text area continues in the editor. */
export function useMessageView(options: Options): Result {
  const { value, fields, singleLine, optOut } = options
  const area = useRef<HTMLDivElement>(null)
  const fallback = useRef<HTMLTextAreaElement>(null)
  const view = useRef<MessageView>(null)
  const [ready, setReady] = useState(false)
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  useEffect(() => {
    let gone = false
    const arrive = async () => {
      const { createMessageView } = await import('./message-codemirror.ts')
      const parent = area.current
      if (gone || !parent) return
      const typing = fallback.current === document.activeElement ? fallback.current : null
      const cursor = typing?.selectionStart
      // At once, not with the next render: there must never be two fields of one name.
      if (fallback.current) fallback.current.hidden = true
      view.current = createMessageView({
        parent,
        text: latest.current.value,
        fields,
        singleLine,
        onChange: (text) => latest.current.onChange(text),
      })
      view.current.setAttributes(latest.current.attributes)
      view.current.setOptOut(latest.current.optOut)
      if (typing) view.current.focus(cursor)
      setReady(true)
    }
    // Not loaded: the text area stays, and writing still works.
    arrive().catch(() => {})
    return () => {
      gone = true
      view.current?.destroy()
      view.current = null
      setReady(false)
    }
  }, [fields, singleLine])
  useEffect(() => view.current?.setText(value), [value])
  useEffect(() => view.current?.setOptOut(optOut), [optOut])
  const key = JSON.stringify(options.attributes)
  useEffect(() => view.current?.setAttributes(JSON.parse(key)), [key])
  return { area, fallback, ready, view }
}
