import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const { CITUS_URL } = process.env
/** On a cluster a statement goes to several PostgreSQLs, all of them on this machine: everything takes about five times as long. */
const patience = CITUS_URL ? 5 : 1

/** Left out on a cluster: these have each statement done, explained and taken back first, and its plan is that of one PostgreSQL. */
const notOnCluster = CITUS_URL ? ['apps/server/test/scale/**'] : []

/**
 * Test files of one worker share the modules they load: loading them anew for each file took two thirds of the time.
 * A file that mocks a module resets the modules before and after itself.
 */
const shared = {
  // For a machine that does much else besides: what hangs is found all the same.
  testTimeout: 60_000 * patience,
  hookTimeout: 120_000 * patience,
  expect: { poll: { timeout: 20_000 * patience } },
  isolate: false,
  setupFiles: [fileURLToPath(new URL('tools/test-seed.ts', import.meta.url))],
}

/** Two projects: rules and screens need nothing; the server's tests share one real PostgreSQL. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'rules',
          include: [
            'packages/**/*.test.ts',
            'apps/web/**/*.test.ts',
            'demo/**/*.test.ts',
            'deploy/*.test.ts',
            'tools/**/*.test.ts',
          ],
        },
      },
      {
        test: {
          ...shared,
          name: 'server',
          include: ['apps/server/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...notOnCluster],
          globalSetup: ['apps/server/test/database.ts'],
          maxWorkers: 3,
        },
      },
    ],
  },
})
