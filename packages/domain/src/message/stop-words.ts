import { plainText } from '../text/plain-text.ts'

/** Replies that stop all texts from a pharmacy; compared without spaces, punctuation and case. */
export const STOP_WORDS = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'] as const
/** The reply that reverses STOP. */
export const START_WORD = 'START'

/** `review`: a stop word among others ("please stop texting me"), misspelt, or the wish without one ("no more texts"), so a person must read it. */
export type ReplyKind = 'stop' | 'start' | 'review' | 'other'

const STOPS: ReadonlySet<string> = new Set(STOP_WORDS)

// Only clear opt-outs: END, CANCEL and QUIT are everyday words in a sentence ("cancel my script").
const WORDS = [
  'st[o0]+p+(?:all|2end)?',
  'unsub\\p{L}*',
  'revoke',
  'opt(?:ed|ing)?[\\s-]?(?:me[\\s-]?)?out',
  'sotp',
  'stpo',
]
// The same wish without such a word; the words that people use who do not know that there is one.
const WISHES = [
  "(?:no more|no|don['’]?t|do not|never) (?:want |send |to )*(?:me |us )?(?:any )?(?:more |these |your )?(?:texts?|sms|messag\\p{L}*)",
  '(?:remove|delete) (?:me|my (?:number|name|details))',
  'take (?:me|my (?:number|name)) off',
]
const INSIDE = new RegExp(`(?:^|[^\\p{L}\\p{N}])(?:${[...WORDS, ...WISHES].join('|')})(?:$|[^\\p{L}\\p{N}])`, 'iu')

/**
 * What a patient's reply means. A stop word counts if it is the whole reply, perhaps repeated, ignoring case, spacing, width, and surrounding punctuation and
 * emoji. The words are the seven of the TCPA rules and OPT OUT.
 */
export function replyKind(reply: string): ReplyKind {
  const text = plainText(reply).normalize('NFKC')
  const bare = text.replace(/[^\p{L}\p{N}]+/gu, '').toUpperCase()
  const words = text.toUpperCase().match(/[\p{L}\p{N}]+/gu) ?? []
  if (STOPS.has(bare) || (words.length > 0 && words.every((word) => STOPS.has(word)))) return 'stop'
  if (bare === START_WORD) return 'start'
  return INSIDE.test(text) ? 'review' : 'other'
}

/** The one confirmation after STOP: who it is from and how to opt back in, with no offer. Sent once per STOP that changed something. */
export function stopConfirmation(pharmacyName: string): string {
  return `${pharmacyName}: you will get no more texts from us. Reply START to get them again.`
}
