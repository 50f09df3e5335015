import { Clock } from 'lucide-react'
import { Icon } from './Icon.tsx'

/** How old the figures of a page are, in its header: one or several statements. */
export function AsAt({ texts }: { texts: readonly string[] }) {
  return (
    <>
      <Icon of={Clock} size={15} />
      {texts.map((text, index) => (
        <span key={text}>
          {text}
          {index < texts.length - 1 ? <span className="faint"> ·</span> : null}
        </span>
      ))}
    </>
  )
}
