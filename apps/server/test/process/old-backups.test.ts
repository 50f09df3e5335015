import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { oldBackups } from '../../../../deploy/restored-node.ts'

afterEach(() => vi.unstubAllEnvs())

it('the backup of every node of a cluster may be too old or missing, not only the coordinator’s', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pillar-backups-'))
  await chmod(folder, 0o755)
  const ended = (hoursAgo: number) => ({ timestamp: { stop: Math.round(Date.now() / 1000 - hoursAgo * 3600) } })
  const info = (...backup: object[]) => JSON.stringify([{ backup }])
  // The used parts of pgBackRest's answer to `info --output=json`.
  await writeFile(
    join(folder, 'pgbackrest'),
    `#!/bin/sh
case "$*" in
  *--stanza=new*) echo '${info()}' ;;
  *--stanza=unknown*) echo '[]' ;;
  *--stanza=pillar-w2*) echo '${info(ended(90), ended(50))}' ;;
  *) echo '${info(ended(40), ended(2))}' ;;
esac`,
    { mode: 0o755 },
  )
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
  const stanzas = ['pillar', 'pillar-w1', 'pillar-w2']
  expect(await oldBackups('any.conf', stanzas, 36)).toEqual([
    'The newest backup of pillar-w2 is 50 hours old: run one by hand and read why it fails.',
  ])
  expect(await oldBackups('any.conf', stanzas, 1)).toHaveLength(3)
  for (const stanza of ['new', 'unknown'])
    expect(await oldBackups('any.conf', [stanza], 36)).toEqual([
      `There is no backup of ${stanza} yet: run one by hand and read why it fails.`,
    ])
  await rm(folder, { recursive: true })
})
