import { expect, inject, it } from 'vitest'
import { cloneDatabase, databaseUrl } from '../../../test/database.ts'
import { tamperEntry } from './demo-register.queries.ts'

it('alters an entry as the owner alone, and tells who is another instead of failing', async () => {
  const { url, drop } = await cloneDatabase(inject('ownerUrl'))
  try {
    expect(await tamperEntry(url, 'Nobody')).toBe(true)
    expect(await tamperEntry(databaseUrl(inject('servingUrl'), new URL(url).pathname.slice(1)), 'Nobody')).toBe(false)
  } finally {
    await drop()
  }
})
