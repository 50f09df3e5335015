import { FORWARDED, isReplyOf } from '@pillar/domain/message/forwarded-reply'
import type { Services } from '../../api/context.ts'
import { unseal } from '../../api/seal.ts'
import { everyLetter, forgetLetters, removeLetters, type StoredMail } from '../mail/mail.queries.ts'
import { contactSearch } from './contact-search.ts'
import type { PatientRecord } from './record.queries.ts'

type Needs = Pick<Services, 'pools' | 'secret' | 'keys'> & { log: { error: (about: object, what: string) => void } }

/** Deletes emails to these people, and the texts of those that contain a contact of theirs or pass on their reply. Reads every email once. */
export async function eraseLetters(
  { pools, secret, keys, log }: Needs,
  { records, contacts }: { records: readonly PatientRecord[]; contacts: readonly string[] },
): Promise<void> {
  const theirs = new Set(contacts)
  const mentions = contactSearch(contacts.map((one) => one.replace(/^\+/, '')))
  const isAbout = (text: string, { subject }: StoredMail) =>
    mentions(text.toLowerCase()) ||
    (subject === FORWARDED && records.some((one) => isReplyOf(text, one.pharmacy, one.number)))
  await pools.system.transaction().execute(async (tx) => {
    const { letters, closed: unread } = await everyLetter(tx, keys)
    const [own, about]: [number[], number[]] = [[], []]
    for (const letter of letters) {
      if (theirs.has(letter.recipient.toLowerCase())) own.push(letter.id)
      else if (letter.body !== null) {
        const text = textOf(secret, letter.body, letter)
        if (text === null) unread.push(letter.id)
        else if (isAbout(text, letter)) about.push(letter.id)
      }
    }
    await removeLetters(tx, own)
    await forgetLetters(tx, about)
    if (unread.length > 0)
      log.error({ letters: unread }, 'letters did not open, and may tell of somebody who was erased')
  })
}

/** The text of an email; null if it does not open because it was damaged or sealed with another secret. */
function textOf(secret: Buffer, body: Buffer, { recipient }: StoredMail): string | null {
  try {
    return unseal(secret, body, recipient, 'mail body')
  } catch {
    return null
  }
}
