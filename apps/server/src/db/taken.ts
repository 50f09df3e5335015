import { Refusal } from '@pillar/contract'

const UNIQUE_VIOLATION = '23505'

/**
 * Writes something that must be the only one of its kind, by unique indexes.
 * @param sentences what to tell, by the name of the index (a cluster adds the number of a shard to it)
 * @throws Refusal conflict with that sentence
 */
export async function refuseTaken<T>(sentences: Readonly<Record<string, string>>, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const { code, constraint = '' } = error as { code?: string; constraint?: string }
    const index = code === UNIQUE_VIOLATION && Object.keys(sentences).find((name) => constraint.startsWith(name))
    if (!index) throw error
    throw new Refusal('conflict', sentences[index] ?? '')
  }
}
