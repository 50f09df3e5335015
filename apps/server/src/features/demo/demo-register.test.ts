import { expect, inject, it } from 'vitest'
import { cloneDatabase, databaseUrl } from '../../../test/database.ts'
import { tamperEntry } from './demo-register.queries.ts'

it('alters an entry only as the owner, and tells another role so instead of failing', async () => {
  const { url, drop } = await cloneDatabase(inject('ownerUrl'))
  try {
    expect(await tamperEntry(url, 'Nobody')).toBe(true)
    expect(await tamperEntry(databaseUrl(inject('servingUrl'), new URL(url).pathname.slice(1)), 'Nobody')).toBe(false)
  } finally {
    await drop()
  }
})
