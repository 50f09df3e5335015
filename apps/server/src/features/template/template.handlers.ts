import { contract } from '@pillar/contract'
import type { Handlers } from '../../api/context.ts'
import { notBuilt } from '../not-built.ts'

export const templateHandlers: Handlers['template'] = notBuilt(contract.template as never) as never
