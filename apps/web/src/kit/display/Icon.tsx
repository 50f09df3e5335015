import type { LucideIcon } from 'lucide-react'

/** A Lucide icon at Pillar's stroke. Decoration unless it gets a label. */
export function Icon({ of: Drawing, size = 16, label }: { of: LucideIcon; size?: number; label?: string }) {
  if (label) return <Drawing size={size} strokeWidth={1.75} role="img" aria-label={label} />
  return <Drawing size={size} strokeWidth={1.75} aria-hidden />
}
