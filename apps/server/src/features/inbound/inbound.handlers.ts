import type { Handlers } from '../../api/context.ts'
import { statsHandlers } from '../attribution/message-stats.handlers.ts'
import { rulesHandlers } from '../sending/rule/rules.handlers.ts'
import { replyHandlers } from './reply.handlers.ts'

export const messageHandlers: Handlers['message'] = { ...statsHandlers, ...rulesHandlers, ...replyHandlers }
