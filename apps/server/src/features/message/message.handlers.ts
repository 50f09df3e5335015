import { contract } from '@pillar/contract'
import type { Handlers } from '../../api/context.ts'
import { notBuilt } from '../not-built.ts'

export const messageHandlers: Handlers['message'] = notBuilt(contract.message as never) as never
