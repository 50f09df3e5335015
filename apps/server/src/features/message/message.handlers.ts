import type { Handlers } from '../../api/context.ts'
import { replyHandlers } from './reply.handlers.ts'
import { rulesHandlers } from './rules.handlers.ts'
import { statsHandlers } from './stats.handlers.ts'

export const messageHandlers: Handlers['message'] = { ...statsHandlers, ...rulesHandlers, ...replyHandlers }
