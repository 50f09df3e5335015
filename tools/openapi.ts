import { readFileSync, writeFileSync } from 'node:fs'
import { openApi } from '../apps/server/src/api/page/openapi.ts'

/** Writes docs/openapi.json from the contract; `--check` only reports whether it is up to date. */
const PATH = 'docs/openapi.json'
const text = `${JSON.stringify(openApi(), null, 2)}\n`
if (!process.argv.includes('--check')) writeFileSync(PATH, text)
else if (readFileSync(PATH, 'utf8') !== text) {
  process.stderr.write('docs/openapi.json is not what the contract says. Run "npm run openapi" and commit it.\n')
  process.exit(1)
}
