/** The issues of a register that need attention, worst first. */
export const ATTENTION_KINDS = ['chain', 'contradiction', 'balance', 'countersign', 'late', 'silent'] as const
export type AttentionKind = (typeof ATTENTION_KINDS)[number]

interface Words {
  readonly label: string
  /** What to do, in a sentence. */
  readonly next: string
}

export const ATTENTION_WORDS: Readonly<Record<AttentionKind, Words>> = {
  chain: {
    label: 'Register altered',
    next: 'Stop relying on this register. Compare it with the pharmacy’s own and a backup, and find out who changed it.',
  },
  contradiction: {
    label: 'Contradicted entry',
    next: 'Ask the pharmacy which version is right. A correction is a new entry: a reversal with its reason.',
  },
  balance: {
    label: 'Incorrect balance',
    next: 'Have the pharmacist investigate and count again. A difference is adjusted with a note that says why.',
  },
  countersign: {
    label: 'Missing countersignature',
    next: 'Have another pharmacist check and countersign the intern’s entry.',
  },
  late: { label: 'Late count', next: 'Have the product counted and the count entered.' },
  silent: {
    label: 'No recent upload',
    next: 'Call the pharmacy and check its upload: what is shown here may be out of date.',
  },
}

/** A pharmacy without an upload of its registers for this many business days counts as silent. */
export const SILENT_DAYS = 4

/** The ways in which a chain of entries may turn out to have been changed. */
export const CHAIN_FAULTS = ['altered', 'removed', 'truncated', 'rewritten', 'balance', 'evidence'] as const
export type ChainFaultKind = (typeof CHAIN_FAULTS)[number]

export interface ChainFault {
  /** Its position in the chain; for evidence, in the chain beside the entries. */
  readonly seq: number
  /** The entry's number in the register, if it has one. */
  readonly number: number | null
  readonly what: ChainFaultKind
}

/** A fault as a sentence, without the pharmacy: 'entry 12 (transaction 345) was altered'. */
export function chainFaultWords({ seq, number, what }: ChainFault): string {
  const transaction = number === null ? '' : `transaction ${number}`
  switch (what) {
    case 'altered':
      return `entry ${seq} (${transaction}) was altered or moved`
    case 'removed':
      return `entry ${seq} was removed or moved`
    case 'truncated':
      return `entry ${seq} and all after it were cut off`
    case 'rewritten':
      return `entry ${seq} or entries before it were rewritten since they were anchored`
    case 'balance':
      return `the balance shown for ${transaction} is not what its entries add up to`
    case 'evidence':
      return `record ${seq} of the contradictions and counts kept beside the entries was altered or removed`
  }
}
