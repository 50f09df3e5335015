import type { contract, ReplyOf } from '@pillar/contract'
import type { ReactNode } from 'react'

export type S8Info = ReplyOf<typeof contract.s8.info>

/** What both registers of a pharmacy have above them. */
export interface RegisterFrame {
  title: string
  heading: ReactNode
  asAt: ReactNode
  actions: ReactNode
  /** The state of the register. */
  tabs: ReactNode
}
