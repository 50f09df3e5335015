import { rem } from './font-scale.ts'

/** The product's mark: a capsule on a plinth. Never below 16 px. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg
      width={rem(size)}
      height={rem(size)}
      viewBox="0 0 24 24"
      fill="currentColor"
      style={{ flex: 'none' }}
      aria-hidden="true"
    >
      <path d="M6.5 10.5V7a5.5 5.5 0 0 1 11 0v3.5z" />
      <path d="M6.5 12.25H9V20H6.5zM10.75 12.25h2.5V20h-2.5zM15 12.25h2.5V20H15z" />
      <rect x="4.5" y="21" width="15" height="2" rx="1" />
    </svg>
  )
}
