/** The title of a dialog with the sending rules of a company or a pharmacy. */
export const titleOf = (name: string): string => `Sending rules: ${name}`

/** What a form with the sending rules of a company or a pharmacy is called, and what it asks before it saves. */
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
