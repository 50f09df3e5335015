/** A message to one address. Plain text; links in it are built from the public address. */
export interface Letter {
  to: string
  subject: string
  text: string
}

/** How e-mail leaves Pillar. `kept` says that it does not: letters stay in the Outbox page. */
export interface Mailer {
  kept: boolean
  /** Delivers or throws; the caller records the outcome. */
  deliver: (letter: Letter) => Promise<void>
}
