import type { contract } from '@pillar/contract'
import { findTerm } from '@pillar/domain/text/find-term'
import { type HandlersOf, staffTx } from '../../api/context.ts'
import { findAll } from './find.queries.ts'

export const findHandlers: HandlersOf<typeof contract.find> = {
  async search({ term }, context) {
    const asked = findTerm(term)
    return { results: asked === null ? [] : await findAll(staffTx(context), asked) }
  },
}
