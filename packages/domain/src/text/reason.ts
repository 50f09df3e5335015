/** Letters and digits a reason has at least: dots, spaces and characters nobody sees tell its reader nothing. */
export const LEAST_LETTERS = 3

/** How many letters and digits a text has, of any script. */
export const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

/** Whether somebody who reads the log learns anything from it: 'Ticket 1182', not '...'. */
export const saysWhy = (reason: string): boolean => lettersIn(reason) >= LEAST_LETTERS
