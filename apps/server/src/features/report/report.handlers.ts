import { contract } from '@pillar/contract'
import type { Handlers } from '../../api/context.ts'
import { notBuilt } from '../not-built.ts'

export const reportHandlers: Handlers['report'] = notBuilt(contract.report as never) as never
