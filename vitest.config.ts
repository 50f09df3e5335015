import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** On a cluster a statement goes to several PostgreSQLs, all of them on this machine: everything takes about five times as long. */
const patience = process.env.CITUS_URL ? 5 : 1

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
          globalSetup: ['apps/server/test/database.ts'],
          maxWorkers: 2,
        },
      },
    ],
  },
})
