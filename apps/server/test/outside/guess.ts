import type { Reply, TestServer } from '../server.ts'

export const LOGIN = '/api/enterprise-login'

/** Somebody tries a wrong password for a name. */
export const guess = (server: TestServer, name: string, from = '203.0.113.9') =>
  server.call<{ message: string; errors?: Record<string, string[]> }>(
    LOGIN,
    { name, password: 'not the password' },
    { 'x-forwarded-for': from },
  )

/** What an outsider can compare: everything except the date and random values. */
export function seen({ status, body, headers }: Reply<unknown>) {
  const { date: _date, ...rest } = headers
  return { status, body, headers: rest }
}
