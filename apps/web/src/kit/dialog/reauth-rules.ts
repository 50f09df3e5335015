import type { StepUp } from '@pillar/contract/wire/call'

/** A save's two forms: changes to the object, or a new one beside it under another name. */
export interface SaveAs {
  noun: 'Campaign' | 'Template'
  /** The suggested name for a new one. */
  name: string
  /** The action that creating it requires; 'save' unless it is activated at once. */
  newAction?: StepUp
}

export interface ReauthDraft {
  username: string
  password: string
  as: 'changes' | 'new'
  name: string
}

export type ReauthField = 'username' | 'password' | 'name'

/** What is still missing before the password can be checked, in the specification's words, and in which field; null if nothing. */
export function reauthProblem(
  draft: ReauthDraft,
  noun: SaveAs['noun'] | null,
): { message: string; field: ReauthField } | null {
  if (noun && draft.as === 'new' && draft.name.trim() === '') {
    return { message: `${noun} name is required.`, field: 'name' }
  }
  if (draft.username.trim() === '') return { message: 'Username and password are required.', field: 'username' }
  if (draft.password.trim() === '') return { message: 'Username and password are required.', field: 'password' }
  return null
}
