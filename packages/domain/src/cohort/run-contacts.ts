import type { HeldReason } from './held-back.ts'

type Channel = 'sms' | 'email'

/** A person's number and address, null for none, and how many more messages the frequency limits at the person's pharmacy allow for each. */
export interface Contacts {
  readonly sms: string | null
  readonly email: string | null
  readonly room: { readonly sms: number; readonly email: number }
}

/** What a run sends to people with a contact: the number of messages, and the number their frequency limits allow together. */
interface Use {
  messages: number
  most: number
}

/**
 * What the messages of one run use up. People are asked one after the other, each with the text before the email. Of several people with one
 * number or address the first gets the message, and each message counts towards the frequency limits of both of its recipient's contacts. If
 * pharmacies differ in their limits, a message is also held back if it could use up what another message needs: nobody knows which of the two
 * will leave first.
 */
export class RunContacts {
  readonly #taken: Record<Channel, Set<string>> = { sms: new Set(), email: new Set() }
  readonly #used = new Map<string, Use>()

  /** The one reason why a message is held back, null if it goes; `base` is the reason that concerns only the person. */
  reason(channel: Channel, person: Contacts, base: HeldReason | null): HeldReason | null {
    const contact = person[channel]
    const mayGo = base === null || base === 'test_patient'
    if (mayGo && contact !== null && this.#taken[channel].has(contact)) return 'duplicate_contact'
    if (base !== null) return base
    if (contact === null) return 'no_contact'
    return this.#isFull(person.sms, person.room.sms) || this.#isFull(person.email, person.room.email) ? 'capped' : null
  }

  /** Counts a message that goes. */
  use(channel: Channel, person: Contacts): void {
    this.#count(person.sms, person.room.sms)
    this.#count(person.email, person.room.email)
    this.#taken[channel].add(person[channel]!)
  }

  #isFull(contact: string | null, room: number): boolean {
    if (contact === null) return false
    const use = this.#used.get(contact)
    return use === undefined ? room <= 0 : use.messages >= Math.min(use.most, room)
  }

  #count(contact: string | null, room: number): void {
    if (contact === null) return
    const use = this.#used.get(contact)
    if (use === undefined) {
      this.#used.set(contact, { messages: 1, most: room })
      return
    }
    use.messages++
    use.most = Math.min(use.most, room)
  }
}
