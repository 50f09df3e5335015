import { contract } from '@pillar/contract'
import type { Handlers } from '../../api/context.ts'
import { notBuilt } from '../not-built.ts'
import { rulesHandlers } from './rules.handlers.ts'

const { stats, pharmacyStats } = contract.message

export const messageHandlers: Handlers['message'] = { ...notBuilt({ stats, pharmacyStats }), ...rulesHandlers }
