import type { MessageReply } from '@pillar/contract/message-reply'
import type { Country } from '@pillar/domain/locale'
import { MESSAGE_TEXT_MONTHS } from '@pillar/domain/retention'
import { instantText } from './message-words.ts'

/** 'Patient 10342', 'Patient 10342 or 10377' where a number is shared, or what is known of a stranger. */
export function patientWords({ patient_refs, number_end }: Pick<MessageReply, 'patient_refs' | 'number_end'>): string {
  if (patient_refs.length === 0) return `No known patient, number ending in ${number_end || '?'}`
  const [last, ...rest] = [...patient_refs].reverse()
  return `Patient ${rest.length === 0 ? last : `${rest.reverse().join(', ')} or ${last}`}`
}

/** What the patient wrote, or in words of ours why nothing can be shown. */
export function textWords({ text }: Pick<MessageReply, 'text'>): { words: string; ours: boolean } {
  if (text === null) return { words: `The text was removed after ${MESSAGE_TEXT_MONTHS} months.`, ours: true }
  return text.trim() === ''
    ? { words: 'Nothing in words, perhaps a picture.', ours: true }
    : { words: text.trim(), ours: false }
}

/** By the clock of the pharmacy: 'Fri 20 Nov 2026, 2:14 pm'. */
export function replyTime(country: Country, { received_at, time_zone }: MessageReply): string {
  return instantText(country, received_at, time_zone)
}

/** 'Read by Helen Kowalski, Sat 21 Nov 2026, 9:05 am'; null while nobody has. */
export function readWords(country: Country, { read_at, read_by, time_zone }: MessageReply): string | null {
  if (read_at === null) return null
  return `Read${read_by ? ` by ${read_by}` : ''}, ${instantText(country, read_at, time_zone)}`
}
