import { type Problem, problemSentence } from '../text/sentence.ts'

/** The largest document of an ethics approval. */
export const MOST_DOCUMENT_BYTES = 5 * 1024 * 1024

export interface EthicsDraft {
  readonly number: string
  readonly approving_body: string
  /** '2026-08-03'; empty until entered. */
  readonly approved_on: string
  readonly expires_on: string
  /** Facts about the PDF; null until one is chosen. */
  readonly document: { readonly bytes: number; readonly pdf: boolean } | null
}

/** What is missing or wrong before an ethics approval can be recorded, field by field. `today` as '2026-11-22'. */
export function ethicsProblems(draft: EthicsDraft, today: string): Problem<keyof EthicsDraft>[] {
  const found: Problem<keyof EthicsDraft>[] = []
  const add = (field: keyof EthicsDraft, words: string) => found.push({ field, words })
  if (draft.number.trim() === '') add('number', 'enter an approval number')
  if (draft.approving_body.trim() === '') add('approving_body', 'enter the approving body')
  if (draft.approved_on === '') add('approved_on', 'enter the date of approval')
  else if (draft.approved_on > today) add('approved_on', 'enter a date of approval that is not in the future')
  if (draft.expires_on !== '') {
    if (draft.approved_on !== '' && draft.expires_on < draft.approved_on) {
      add('expires_on', 'enter an expiry on or after the date of approval')
    } else if (draft.expires_on < today) add('expires_on', 'enter an expiry that is not in the past')
  }
  if (draft.document === null) add('document', 'attach the approval as a PDF')
  else if (draft.document.bytes > MOST_DOCUMENT_BYTES) add('document', 'attach a PDF of at most 5 MB')
  else if (!draft.document.pdf) add('document', 'attach a PDF, not another kind of file')
  return found
}

/** The same as one sentence; empty when nothing is missing. */
export function ethicsProblem(draft: EthicsDraft, today: string): string {
  return problemSentence(ethicsProblems(draft, today))
}

/** Whether a file has the first bytes of a PDF. */
export function isPdf(bytes: Uint8Array): boolean {
  return [0x25, 0x50, 0x44, 0x46, 0x2d].every((byte, at) => bytes[at] === byte)
}
