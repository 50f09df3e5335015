/** The message a gateway refers to. */
export interface Referred {
  /** First 12 hex digits of the run's uuid: detects a restored or foreign database with the same ids. */
  run: string
  locationId: number
  id: number
}

/** First 12 hex digits of a uuid. */
export const shortRun = (uuid: string): string => uuid.replaceAll('-', '').slice(0, 12).toLowerCase()

/** Our reference for a message: the same for every attempt, so that it works as an idempotency key. 'p018f3c2a9b7d-12-3456' */
export function referenceOf(runUuid: string, locationId: number, id: number): string {
  return `p${shortRun(runUuid)}-${locationId}-${id}`
}

/** The message of a reference; null if it is not ours. Mail systems may change its letters' case: it is part of an address. */
export function parseReference(reference: string): Referred | null {
  const match = /^p([0-9a-f]{12})-(\d{1,15})-(\d{1,15})$/.exec(reference.toLowerCase())
  return match ? { run: match[1]!, locationId: Number(match[2]), id: Number(match[3]) } : null
}

/** Why a reference could not be used. */
export const NOT_OURS = 'The reference is none of ours.'
export const NO_MESSAGE = 'No message has this reference.'
