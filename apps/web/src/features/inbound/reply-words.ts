import type { MessageReply } from '@pillar/contract/message/inbound'
import { MESSAGE_TEXT_MONTHS } from '@pillar/domain/access/retention'
import { counted } from '@pillar/domain/text/sentence'
import type { Country } from '@pillar/domain/time/locale'
import { instantText } from '../attribution/message-words.ts'

/** 'Patient 10342', 'Patient 10342 or 10377' if a number is shared, or what is known about an unknown sender. */
export function patientWords({ patient_refs, number_end }: Pick<MessageReply, 'patient_refs' | 'number_end'>): string {
  if (patient_refs.length === 0) return `No known patient, number ending in ${number_end || '?'}`
  const [last, ...rest] = [...patient_refs].reverse()
  return `Patient ${rest.length === 0 ? last : `${rest.reverse().join(', ')} or ${last}`}`
}

/** What the patient wrote, or why it cannot be shown. */
export function textWords({ text }: Pick<MessageReply, 'text'>): { words: string; ours: boolean } {
  if (text === null) return { words: `The text was removed after ${MESSAGE_TEXT_MONTHS} months.`, ours: true }
  return text.trim() === ''
    ? { words: 'No words, perhaps a picture.', ours: true }
    : { words: text.trim(), ours: false }
}

/** By the clock of the pharmacy: 'Fri 20 Nov 2026, 2:14 pm'. */
export function replyTime(country: Country, { received_at, time_zone }: MessageReply): string {
  return instantText(country, received_at, time_zone)
}

/** 'Read by Helen Kowalski, Sat 21 Nov 2026, 9:05 am'; null if nobody has. */
export function readWords(country: Country, { read_at, read_by, time_zone }: MessageReply): string | null {
  if (read_at === null) return null
  return `Read${read_by ? ` by ${read_by}` : ''}, ${instantText(country, read_at, time_zone)}`
}

/** 'Texts stopped by Helen Kowalski, Sat 21 Nov 2026, 9:05 am'; null if nobody at head office has stopped them after this reply. */
export function stoppedWords(
  country: Country,
  { stopped_at, stopped_by, time_zone, holders }: MessageReply,
): string | null {
  if (stopped_at === null) return null
  const by = `Texts stopped${stopped_by ? ` by ${stopped_by}` : ''}, ${instantText(country, stopped_at, time_zone)}`
  // START, or a new patient with the number since then.
  return holders.out < holders.patients ? `${by}. Texts to this number have been allowed again since.` : by
}

/** Whether a reply allows stopping texts to its number, or why not. */
export function stopState({
  text,
  holders,
  stopped_at,
}: MessageReply): 'offered' | 'stopped' | 'stranger' | 'ended' | 'gone' {
  if (stopped_at !== null) return 'stopped'
  if (holders.patients === 0) return 'stranger'
  if (holders.out === holders.patients) return 'ended'
  // Nobody can read the request any more, and the consent log must have its words.
  return text === null ? 'gone' : 'offered'
}

/** The note beside a reply that may be an opt-out; null once its texts have been stopped. */
export function wishWords(reply: MessageReply): string | null {
  switch (stopState(reply)) {
    case 'offered':
      return 'This may be an opt-out. Texts have not been stopped.'
    case 'stranger':
      return 'This may be an opt-out. No patient of this pharmacy has this number.'
    case 'gone':
      return 'This may have been an opt-out. If you know it was meant, ask the pharmacy to record the opt-out in its dispensing system.'
    case 'ended':
    case 'stopped':
      return null
  }
}

/** The question before texts are stopped: which number, whom it affects, how texts can be restored, and the other consequences. */
export function stopQuestion({ pharmacy_name, number_end, holders: { patients, out } }: MessageReply) {
  const many = counted(patients, 'patient', 'patients')
  const none = out === 0 ? '' : ` ${out} of them ${out === 1 ? 'gets' : 'get'} none already.`
  return {
    title: number_end ? `Stop texts to the number ending in ${number_end}?` : 'Stop texts to this number?',
    consequence: `${many} at ${pharmacy_name} will get no more texts from it.${none} They can reply START to come back.`,
    also: `Pending texts are cancelled. The ${patients === 1 ? 'patient is' : 'patients are'} not notified.`,
    button: `Stop texts to ${many}`,
  }
}
