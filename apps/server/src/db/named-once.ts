import { refuseTaken } from './taken.ts'

/**
 * Writes something whose name is unique in its company, by the index `<noun>_name`.
 * @throws Refusal conflict when the name is taken, however written
 */
export function namedOnce<T>(noun: 'campaign' | 'template', name: string, write: () => Promise<T>): Promise<T> {
  const sentence = `There is already a ${noun} called "${name}". Please enter another ${noun} name.`
  return refuseTaken({ [`${noun}_name`]: sentence }, write)
}
