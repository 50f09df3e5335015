import { counted, listOf } from '../text/sentence.ts'

/** The specification's warning before a pharmacy moves to another company. */
export const IMPORT_WARNING =
  'This will only transfer the pharmacy and its logins. The templates, campaigns, and other data will not be transferred.'

/** Work in progress at a pharmacy that must finish before it can move to another company. */
export interface ImportObstacles {
  readonly name: string
  /** Uploads being loaded now. */
  readonly loading: number
  /** Messages handed over without an answer yet. */
  readonly inFlight: number
  /** Campaigns whose messages are being written now. */
  readonly writing: readonly string[]
}

/** Why a pharmacy cannot move to another company now; empty when it can. */
export function importProblem({ name, loading, inFlight, writing }: ImportObstacles): string {
  const why: string[] = []
  if (loading > 0) why.push(`${counted(loading, 'upload is', 'uploads are')} being loaded`)
  if (inFlight > 0) why.push(`${counted(inFlight, 'message is', 'messages are')} being handed over`)
  if (writing.length > 0) why.push(`the messages of ${listOf(writing)} are being written`)
  if (why.length === 0) return ''
  return `${name} was not imported: ${listOf(why)}. Please try again in a few minutes.`
}
