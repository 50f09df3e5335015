/** A mailto link to an address that somebody typed: text after a question mark must not become a subject or a copy. */
export const mailLink = (email: string): string => `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`
