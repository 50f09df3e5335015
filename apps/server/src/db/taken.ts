import { Refusal } from '@pillar/contract'

/** Whether the database refused a row because one like it is there already, by a unique index. */
export const isTaken = (error: unknown): boolean => (error as { code?: unknown }).code === '23505'

/**
 * Writes something that must be the only one of its kind, by unique indexes.
 * @param sentences what to tell, by the name of the index (a cluster adds the number of a shard to it)
 * @throws Refusal conflict with that sentence
 */
export async function refuseTaken<T>(sentences: Readonly<Record<string, string>>, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const { constraint = '' } = error as { constraint?: string }
    const index = isTaken(error) && Object.keys(sentences).find((name) => constraint.startsWith(name))
    if (!index) throw error
    throw new Refusal('conflict', sentences[index] ?? '')
  }
}

/**
 * Writes something whose name is unique in its company, by the index `<noun>_name`.
 * @throws Refusal conflict when the name is taken, however written
 */
export function refuseDuplicateName<T>(
  noun: 'campaign' | 'template',
  name: string,
  write: () => Promise<T>,
): Promise<T> {
  const sentence = `There is already a ${noun} called "${name}". Please enter another ${noun} name.`
  return refuseTaken({ [`${noun}_name`]: sentence }, write)
}
