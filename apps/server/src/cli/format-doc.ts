import { readFileSync, writeFileSync } from 'node:fs'
import { withFormat } from '../features/upload/read/format-doc.ts'

/** Regenerates the generated part of docs/upload-format.md. */
const path = new URL('../../../../docs/upload-format.md', import.meta.url)
writeFileSync(path, withFormat(readFileSync(path, 'utf8')))
