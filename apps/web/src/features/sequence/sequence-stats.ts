import type { contract, ReplyOf } from '@pillar/contract'

/** What a sequence of a pharmacy came to. */
export type Stats = ReplyOf<typeof contract.sequenceAdmin.stats>
