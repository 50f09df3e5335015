import { findCitus, NO_CITUS, startCluster } from './cluster/nodes.ts'
import { run } from './run.ts'
import { makeScratch } from './scratch.ts'

/**
 * npm run test:citus [-- <files>]: the server's tests on a Citus cluster. CITUS_URL gives an existing coordinator, as its superuser;
 * otherwise a coordinator and two workers are started here from installed programs.
 */
const words = process.argv.slice(2)
const { folder, remove } = makeScratch()
process.env.TMPDIR = folder

const given = process.env.CITUS_URL
const program = given ? null : await findCitus()
if (!given && !program) {
  process.stderr.write(`${NO_CITUS}\n`)
  remove()
  process.exit(2)
}
const cluster = program ? await startCluster(program) : null
const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'server', ...words]
const code = await run(args, { TMPDIR: folder, CITUS_URL: given ?? cluster!.url })
await cluster?.close()
remove()
process.exit(code)
