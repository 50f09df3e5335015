import {
  CircleAlert as AlertDrawing,
  Eye,
  EyeOff,
  Globe as GlobeDrawing,
  Mail as MailDrawing,
  Phone as PhoneDrawing,
} from 'lucide-react'
import { rem } from '../shared/font-scale.ts'

const line = { size: rem(15), strokeWidth: 1.75, 'aria-hidden': true } as const

export const Phone = () => <PhoneDrawing {...line} />
export const Mail = () => <MailDrawing {...line} />
export const Globe = () => <GlobeDrawing {...line} />
export const Alert = () => <AlertDrawing {...line} size={rem(16)} />
export const EyeIcon = ({ shown }: { shown: boolean }) => (shown ? <EyeOff {...line} /> : <Eye {...line} />)
