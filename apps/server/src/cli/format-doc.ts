import { readFileSync, writeFileSync } from 'node:fs'
import { withFormat } from '../features/upload/read/format-doc.ts'

/** Writes the generated part of docs/upload-format.md anew. */
const path = new URL('../../../../docs/upload-format.md', import.meta.url)
writeFileSync(path, withFormat(readFileSync(path, 'utf8')))
