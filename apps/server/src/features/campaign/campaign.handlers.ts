import { contract } from '@pillar/contract'
import type { Handlers } from '../../api/context.ts'
import { notBuilt } from '../not-built.ts'

export const campaignHandlers: Handlers['campaign'] = notBuilt(contract.campaign as never) as never
