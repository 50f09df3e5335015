import { counted, listOf } from '../text/sentence.ts'

/** What a person reads before a pharmacy goes to another company: the specification's words. */
export const IMPORT_WARNING =
  'This will only transfer the pharmacy and its logins. The templates, campaigns, and other data will not be transferred.'

/** What is under way at a pharmacy that must end before it can go to another company. */
export interface ImportObstacles {
  readonly name: string
  /** Uploads being loaded at this moment. */
  readonly loading: number
  /** Messages that were handed over and have no answer yet. */
  readonly inFlight: number
  /** Campaigns whose messages are being written at this moment. */
  readonly writing: readonly string[]
}

/** Why a pharmacy cannot go to another company at this moment; empty when it can. */
export function importProblem({ name, loading, inFlight, writing }: ImportObstacles): string {
  const why: string[] = []
  if (loading > 0) why.push(`${counted(loading, 'upload is', 'uploads are')} being loaded`)
  if (inFlight > 0) why.push(`${counted(inFlight, 'message is', 'messages are')} being handed over`)
  if (writing.length > 0) why.push(`the messages of ${listOf(writing)} are being written`)
  if (why.length === 0) return ''
  return `${name} was not imported: ${listOf(why)}. Please try again in a few minutes.`
}
