import type { Services } from '../../../api/context.ts'
import { type Anchored as AnchoredOf, readAnchors } from '../../audit/anchor.ts'
import type { Anchored } from './verify-register.ts'

type Kept = { env: Pick<Services['env'], 'DATA_DIR'>; secret: Buffer }

/** The newest anchors of each pharmacy's register, kept in DATA_DIR outside the database, by the pharmacy's id. */
export async function registerAnchors(kept: Kept): Promise<Map<number, Anchored>> {
  const [entries, evidence] = await Promise.all([newest(kept, 's8'), newest(kept, 's8-evidence')])
  const ids = new Set([...entries.keys(), ...evidence.keys()])
  return new Map(
    [...ids].map((id) => {
      const beside = evidence.get(id)
      return [id, { ...(entries.get(id) ?? { seq: 0, hash: '' }), ...(beside ? { evidence: beside } : {}) }]
    }),
  )
}

async function newest({ env, secret }: Kept, of: AnchoredOf) {
  const anchors = await readAnchors(env.DATA_DIR, secret, of)
  return new Map(anchors.flatMap(({ heads }) => heads.map(({ chain, seq, hash }) => [chain, { seq, hash }] as const)))
}
