import { Refusal } from '@pillar/contract'

/** Whether the database refused a row because a unique index already has one like it. */
export const isTaken = (error: unknown): boolean => (error as { code?: unknown }).code === '23505'

/**
 * Writes something that unique indexes allow only once.
 * @param sentences the message for each index, by its name (a cluster adds the number of a shard to it)
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
 * @throws Refusal conflict when the name is taken, in any spelling
 */
export function refuseDuplicateName<T>(
  noun: 'campaign' | 'template',
  name: string,
  write: () => Promise<T>,
): Promise<T> {
  const sentence = `There is already a ${noun} called "${name}". Please enter another ${noun} name.`
  return refuseTaken({ [`${noun}_name`]: sentence }, write)
}
