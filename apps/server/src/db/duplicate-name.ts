import { Refusal } from '@pillar/contract'

const UNIQUE_VIOLATION = '23505'

/**
 * Writes something whose name is unique in its company, by the index `<noun>_name`.
 * @throws Refusal conflict when the name is taken, however written
 */
export async function refuseDuplicateName<T>(
  noun: 'campaign' | 'template',
  name: string,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string }
    if (code !== UNIQUE_VIOLATION || constraint !== `${noun}_name`) throw error
    throw new Refusal('conflict', `There is already a ${noun} called "${name}". Please enter another ${noun} name.`)
  }
}
