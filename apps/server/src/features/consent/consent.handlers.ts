import { contract } from '@pillar/contract'
import type { Handlers } from '../../api/context.ts'
import { notBuilt } from '../not-built.ts'

export const consentHandlers: Handlers['consent'] = notBuilt(contract.consent as never) as never
