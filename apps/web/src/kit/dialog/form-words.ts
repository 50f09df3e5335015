/** The words of a form dialog. */
export interface FormWords<V = never> {
  title: string
  /** The button, and the same while it works. */
  button: string
  busy: string
  /** Shown once it is saved. */
  done: string
  /** What would be lost: 'this company'. */
  what: string
  /** Why it cannot be saved yet, shown instead of enabling the button; empty when it can. */
  blocked?(values: V): string
}

/** A dialog that creates something: 'Create company', Create, Creating... */
export function creating(noun: string, done: string): FormWords {
  return { title: `Create ${noun}`, button: 'Create', busy: 'Creating...', done, what: `the new ${noun}` }
}

/** A dialog that changes something: 'Edit company', Update, Updating... */
export function editing(noun: string, done: string): FormWords {
  return { title: `Edit ${noun}`, button: 'Update', busy: 'Updating...', done, what: `this ${noun}` }
}
