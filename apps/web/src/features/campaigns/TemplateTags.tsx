import { Status } from '../../kit/display/status.tsx'

/** Active or inactive, and whether it came from a recommendation. */
export function TemplateTags({ active, recommended }: { active: boolean; recommended: boolean }) {
  return (
    <>
      <Status word={active ? 'Active' : 'Inactive'} />
      {recommended ? <Status word="Recommended" /> : null}
    </>
  )
}
