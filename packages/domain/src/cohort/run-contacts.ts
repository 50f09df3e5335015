import type { HeldReason } from './held-back.ts'

type Channel = 'sms' | 'email'

/** The number and the address of a person, null for none, and how many messages each has had in the hours of the frequency limit. */
export interface Contacts {
  readonly sms: string | null
  readonly email: string | null
  readonly had: { readonly sms: number; readonly email: number }
}

/**
 * What the messages of one run use up, while its people are asked one after the other, the text of each before the email: of several with
 * one number or address the first gets the message, and each message counts towards the frequency limit of both contacts of whom it goes to.
 */
export class RunContacts {
  readonly #most: number
  readonly #taken: Record<Channel, Set<string>> = { sms: new Set(), email: new Set() }
  readonly #used = new Map<string, number>()

  /** @param most messages that the frequency limit allows in its hours */
  constructor(most: number) {
    this.#most = most
  }

  /** The one reason why a message is held back, null when it goes; `base` is the reason of the person alone. */
  reason(channel: Channel, person: Contacts, base: HeldReason | null): HeldReason | null {
    const contact = person[channel]
    const mayGo = base === null || base === 'test_patient'
    if (mayGo && contact !== null && this.#taken[channel].has(contact)) return 'duplicate_contact'
    if (base !== null) return base
    if (contact === null) return 'no_contact'
    return this.#isFull(person.sms, person.had.sms) || this.#isFull(person.email, person.had.email) ? 'capped' : null
  }

  /** Counts a message that goes. */
  use(channel: Channel, person: Contacts): void {
    for (const contact of [person.sms, person.email])
      if (contact !== null) this.#used.set(contact, (this.#used.get(contact) ?? 0) + 1)
    this.#taken[channel].add(person[channel]!)
  }

  #isFull(contact: string | null, had: number): boolean {
    return contact !== null && had + (this.#used.get(contact) ?? 0) >= this.#most
  }
}
