import { createHash } from 'node:crypto'
import { takesReplies } from '@pillar/domain/message/sms-sender'

/** What becomes of a simulated message: determined by its reference, or another seed, so that a repeat ends in the same way. */
export interface Fate {
  /** The sender's answer. `lost`: none, the answer never arrives. */
  answer: 'accepted' | 'rejected' | 'lost'
  /** Whether the simulator keeps it. */
  taken: boolean
  outcome: 'delivered' | 'failed' | null
  reason: string | null
  /** Milliseconds from acceptance to the receipt. */
  receiptAfter: number
  reply: string | null
  /** Milliseconds from acceptance to the reply. */
  replyAfter: number
}

const FAILED_PER_THOUSAND = 20
/** Reasons by which there is no such number or mailbox. */
export const GONE_REASONS: readonly string[] = ['Number not in service', 'No such mailbox']
const SMS_REASONS = ['Number not in service', 'The phone was off or out of reach', 'The network refused the message']
const EMAIL_REASONS = ['No such mailbox', 'The mailbox is full', 'The mail server refused the message']
/** One in 150 answers STOP. */
const STOPS = ['STOP', 'Stop', 'stop ', 'STOP.', 'Unsubscribe']
const REPLIES = [
  ...['Thanks', 'Ok will come in tomorrow', 'Who is this?', 'Can I pick it up Saturday?', 'Yes please'],
  ...['Can I pick up Friday?', 'Please stop texting me, I have moved to Geelong'],
]

/**
 * Decides a message's fate. About 2% fail; of those delivered 1 in 150 answers STOP and 1 in 100 something else, if the sender can be
 * answered. Numbers ending in these six digits always behave as docs/operations.md says: 000001 rejected, 000002 taken but the answer lost,
 * 000003 not taken and the answer lost, 000004 fails, 000005 no receipt, 000006 answers STOP, 000007 answers START, 000008 asks something;
 * they cannot answer a name either.
 */
export function fateOf(channel: 'sms' | 'email', drawnBy: string, to: string, sender: string): Fate {
  const hash = createHash('sha256').update(drawnBy).digest()
  const number = (at: number) => hash.readUInt32BE(at)
  const fails = number(0) % 1000 < FAILED_PER_THOUSAND
  const reasons = channel === 'sms' ? SMS_REASONS : EMAIL_REASONS
  const answerable = channel === 'sms' && takesReplies(sender)
  const answers = answerable && !fails
  const draw = number(4) % 300
  const chosen = draw < 2 ? STOPS : draw < 5 ? REPLIES : null
  const usual: Fate = {
    answer: 'accepted',
    taken: true,
    outcome: fails ? 'failed' : 'delivered',
    reason: fails ? reasons[number(8) % reasons.length]! : null,
    receiptAfter: 2_000 + (number(12) % 6_000),
    reply: answers && chosen ? chosen[number(16) % chosen.length]! : null,
    replyAfter: 10_000 + (number(20) % 50_000),
  }
  const fate = channel === 'sms' ? { ...usual, ...TEST_NUMBERS[to.slice(-6)] } : usual
  return answerable ? fate : { ...fate, reply: null }
}

const DELIVERED = { outcome: 'delivered', reason: null, reply: null } as const
const TEST_NUMBERS: Readonly<Record<string, Partial<Fate>>> = {
  '000001': { answer: 'rejected', taken: false, reason: 'The gateway knows no such number' },
  '000002': { answer: 'lost', ...DELIVERED },
  '000003': { answer: 'lost', taken: false },
  '000004': { outcome: 'failed', reason: 'Number not in service', reply: null },
  '000005': { outcome: null, reason: null, reply: null },
  '000006': { ...DELIVERED, reply: 'STOP', replyAfter: 3_000 },
  '000007': { ...DELIVERED, reply: 'START', replyAfter: 3_000 },
  '000008': { ...DELIVERED, reply: 'Can I pick up Friday?', replyAfter: 3_000 },
}
