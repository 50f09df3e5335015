import type { contract } from '@pillar/contract'
import { type HandlersOf, tenantTx } from '../../api/context.ts'
import { listPharmacyNames } from './location.queries.ts'

export const locationHandlers: HandlersOf<typeof contract.location> = {
  async pharmacies(_input, context) {
    return { data: await listPharmacyNames(tenantTx(context)) }
  },
}
