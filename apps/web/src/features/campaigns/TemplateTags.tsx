import { CirclePlay, CircleSlash, Star } from 'lucide-react'
import { Tag } from '../../kit/display/Tag.tsx'

/** Active or inactive, and whether it came from a recommendation. */
export function TemplateTags({ active, recommended }: { active: boolean; recommended: boolean }) {
  return (
    <>
      {active ? (
        <Tag tone="good" icon={CirclePlay}>
          Active
        </Tag>
      ) : (
        <Tag tone="outline" icon={CircleSlash}>
          Inactive
        </Tag>
      )}
      {recommended ? (
        <Tag tone="info" icon={Star}>
          Recommended
        </Tag>
      ) : null}
    </>
  )
}
