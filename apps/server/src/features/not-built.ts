import { type Call, Refusal } from '@pillar/contract'
import type { HandlersOf } from '../api/context.ts'

/** Handlers that refuse, for a group whose feature is being built. */
export function notBuilt<G extends Record<string, Call>>(group: G): HandlersOf<G> {
  const refuse = async () => {
    throw new Refusal('unavailable', 'This part of Pillar is not built yet.')
  }
  return Object.fromEntries(Object.keys(group).map((name) => [name, refuse])) as unknown as HandlersOf<G>
}
