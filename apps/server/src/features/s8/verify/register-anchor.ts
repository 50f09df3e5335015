import type { Services } from '../../../api/context.ts'
import { readAnchors } from '../../audit/anchor.ts'
import type { Anchored } from './verify-register.ts'

/** The newest anchor of each pharmacy's register, kept in DATA_DIR outside the database, by the pharmacy's id. */
export async function registerAnchors({
  env,
  secret,
}: {
  env: Pick<Services['env'], 'DATA_DIR'>
  secret: Buffer
}): Promise<Map<number, Anchored>> {
  const anchors = await readAnchors(env.DATA_DIR, secret, 's8')
  return new Map(anchors.flatMap(({ heads }) => heads.map(({ chain, seq, hash }) => [chain, { seq, hash }] as const)))
}
