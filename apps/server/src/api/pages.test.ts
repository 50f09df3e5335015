import { expect, it } from 'vitest'
import { pageOf } from './pages.ts'

it('serves each address its page; the Outbox inside the portal to who is signed in', () => {
  for (const [path, stranger, signedIn] of [
    ['/', 'index.html', 'index.html'],
    ['/login', 'public.html', 'public.html'],
    ['/en_gb/reset-password/token', 'public.html', 'public.html'],
    ['/u/code', 'patient.html', 'patient.html'],
    ['/outbox', 'public.html', 'index.html'],
    ['/en_us/outbox/', 'public.html', 'index.html'],
    ['/outboxes', 'index.html', 'index.html'],
  ] as const) {
    expect([path, pageOf(path, false), pageOf(path, true)]).toEqual([path, stranger, signedIn])
  }
})
