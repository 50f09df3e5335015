/**
 * Status codes of RFC 3463 by which there is no such mailbox: bad address, bad syntax, moved without a new address, a domain that takes no mail.
 * Not those that may be about us or pass: a full or disabled mailbox, a refused sender, an unknown host.
 */
const GONE = /(?<![\d.])5\.1\.(1|3|6|10)(?![\d.]*\d)/

/** Whether a mail server's words, with its status code, say that the address does not exist. */
export const isGoneAddress = (words: string): boolean => GONE.test(words)
