/** The title of a dialog with the sending rules of a company or a pharmacy. */
export const titleOf = (name: string): string => `Sending rules: ${name}`

/** The title of a form with a company's or a pharmacy's sending rules, and its question before saving. */
export const saving = (name: string) => ({
  size: 'M' as const,
  words: {
    title: titleOf(name),
    button: 'Save',
    busy: 'Saving...',
    done: 'Sending rules saved',
    what: 'the sending rules',
  },
  ask: {
    title: `Save the sending rules of ${name}?`,
    consequence: 'They apply to every campaign, and to messages that are queued but not yet sent.',
    button: 'Save rules',
  },
})
