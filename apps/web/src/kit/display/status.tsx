import { capital } from '@pillar/domain/text/sentence'
import {
  CalendarClock,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CircleMinus,
  CirclePause,
  CirclePlay,
  CircleSlash,
  CircleX,
  ClockAlert,
  Droplet,
  FastForward,
  FilePen,
  Hand,
  Hourglass,
  Inbox,
  Leaf,
  Loader,
  type LucideIcon,
  Mail,
  MailOpen,
  PencilLine,
  Send,
  Star,
  Trash2,
  TriangleAlert,
  Upload,
  UserCheck,
} from 'lucide-react'
import { Tag, type Tone } from './Tag.tsx'

const as = (tone: Tone, icon: LucideIcon) => ({ tone, icon })

/** Every status word with its tone and icon, so that a word looks the same on every screen. */
const STATUS = {
  Delivered: as('good', CircleCheck),
  Completed: as('good', CircleCheck),
  Counted: as('good', CircleCheck),
  'Correct balance': as('good', CircleCheck),
  'Goal made': as('good', CircleCheck),
  Active: as('good', CirclePlay),
  Scheduled: as('info', CalendarClock),
  Sent: as('info', Send),
  Requested: as('info', Upload),
  Received: as('info', Inbox),
  Override: as('info', FastForward),
  Recommended: as('info', Star),
  Sending: as('active', Loader),
  Processing: as('active', Loader),
  'Held back': as('caution', Hand),
  Overdue: as('caution', TriangleAlert),
  'Not received': as('caution', ClockAlert),
  Unknown: as('caution', CircleHelp),
  Failed: as('bad', CircleX),
  Error: as('bad', CircleX),
  'Incorrect balance': as('bad', CircleX),
  Never: as('bad', CircleDashed),
  'Never uploaded': as('bad', CircleDashed),
  'Needs approval': as('caution', UserCheck),
  'Waiting for approval': as('info', Hourglass),
  'Waiting for sending hours': as('info', Hourglass),
  Approved: as('good', CircleCheck),
  Declined: as('bad', CircleX),
  Invited: as('info', MailOpen),
  'Invitation expired': as('caution', ClockAlert),
  'Not invited': as('caution', Mail),
  'Not sent': as('caution', Mail),
  Inactive: as('outline', CircleSlash),
  Disabled: as('outline', CircleSlash),
  Removed: as('outline', Trash2),
  Draft: as('neutral', FilePen),
  Stopped: as('neutral', CirclePause),
  'Check skipped': as('neutral', CircleMinus),
  Custom: as('outline', PencilLine),
  OTP: as('info', Droplet),
  Cannabis: as('good', Leaf),
} as const
export type StatusWord = keyof typeof STATUS

/** A status word in its standard look. */
export function Status({ word }: { word: StatusWord }) {
  const { tone, icon } = STATUS[word]
  return (
    <Tag tone={tone} icon={icon}>
      {word}
    </Tag>
  )
}

/** The status word for a state as the server spells it: 'NOT RECEIVED' becomes 'Not received'. */
export function statusWord(state: string): StatusWord {
  const word = capital(state.toLowerCase())
  return word in STATUS ? (word as StatusWord) : 'Unknown'
}
