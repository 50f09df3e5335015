import type { HeldReason } from './held-back.ts'

type Channel = 'sms' | 'email'

/** The number and the address of a person, null for none, and how many more messages to each the frequency limits at the person's pharmacy allow. */
export interface Contacts {
  readonly sms: string | null
  readonly email: string | null
  readonly room: { readonly sms: number; readonly email: number }
}

/** What a run sends to people with a contact: how many messages, and how many their frequency limits allow together. */
interface Use {
  messages: number
  most: number
}

/**
 * What the messages of one run use up, while its people are asked one after the other, the text of each before the email: of several with
 * one number or address the first gets the message, and each message counts towards the frequency limits of both contacts of whom it goes to.
 * Where pharmacies differ in their limits, a message is also held back if it could use up what another one needs that goes: nobody
 * knows which of the two leaves first.
 */
export class RunContacts {
  readonly #taken: Record<Channel, Set<string>> = { sms: new Set(), email: new Set() }
  readonly #used = new Map<string, Use>()

  /** The one reason why a message is held back, null when it goes; `base` is the reason of the person alone. */
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
