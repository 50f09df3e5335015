import type { LucideIcon } from 'lucide-react'
import { rem } from '../../shared/font-scale.ts'

/** A Lucide icon at Pillar's stroke. Decoration unless it gets a label. */
export function Icon({ of: Drawing, size = 16, label }: { of: LucideIcon; size?: number; label?: string }) {
  if (label) return <Drawing size={rem(size)} strokeWidth={1.75} role="img" aria-label={label} />
  return <Drawing size={rem(size)} strokeWidth={1.75} aria-hidden />
}
