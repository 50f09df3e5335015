import type { TestServer } from './server.ts'

/** Does `work` while all of the console's connections but one are in use: a call that needs two of them would wait for ever. */
export async function onLastConnection<T>(server: TestServer, work: () => Promise<T>): Promise<T> {
  const { staff, limits } = server.services.pools
  const over = Promise.withResolvers<void>()
  const others = Array.from({ length: limits.staff! - 1 }, () => staff.connection().execute(() => over.promise))
  try {
    return await work()
  } finally {
    over.resolve()
    await Promise.all(others)
  }
}
