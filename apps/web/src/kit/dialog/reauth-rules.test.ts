import { describe, expect, it } from 'vitest'
import { reauthProblem } from './reauth-rules.ts'

const draft = { username: 'helen', password: 'secret', as: 'changes', name: '' } as const

describe('what re-authentication still needs', () => {
  it('asks for username and password in one sentence, and points at the empty one', () => {
    const message = 'Username and password are required.'
    expect(reauthProblem({ ...draft, username: ' ' }, null)).toEqual({ message, field: 'username' })
    expect(reauthProblem({ ...draft, password: '' }, null)).toEqual({ message, field: 'password' })
    expect(reauthProblem(draft, null)).toBeNull()
  })

  it('asks for a name only when something new is saved', () => {
    expect(reauthProblem({ ...draft, as: 'new' }, 'Campaign')?.message).toBe('Campaign name is required.')
    expect(reauthProblem({ ...draft, as: 'new', name: '  ' }, 'Template')?.message).toBe('Template name is required.')
    expect(reauthProblem({ ...draft, as: 'new', name: 'Second' }, 'Template')).toBeNull()
    expect(reauthProblem(draft, 'Template')).toBeNull()
  })
})
