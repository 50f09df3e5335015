import type { contract, ReplyOf } from '@pillar/contract'

/** A pharmacy sequence's results. */
export type Stats = ReplyOf<typeof contract.sequenceAdmin.stats>
