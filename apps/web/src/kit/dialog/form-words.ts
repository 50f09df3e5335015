/** What a form dialog says. */
export interface FormWords<V = never> {
  title: string
  /** The button, and the same while it works. */
  button: string
  busy: string
  /** Said once it is saved. */
  done: string
  /** What would be lost: 'this company'. */
  what: string
  /** Why it cannot be saved yet, in place of an enabled button; empty when it can. */
  blocked?(values: V): string
}

/** A dialog that makes something new: 'Create company', Create, Creating... */
export function creating(noun: string, done: string): FormWords {
  return { title: `Create ${noun}`, button: 'Create', busy: 'Creating...', done, what: `the new ${noun}` }
}

/** A dialog that changes what is there: 'Edit company', Update, Updating... */
export function editing(noun: string, done: string): FormWords {
  return { title: `Edit ${noun}`, button: 'Update', busy: 'Updating...', done, what: `this ${noun}` }
}
