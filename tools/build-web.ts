import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs'

/**
 * Builds the screens if anything they are made from has changed since the last build; otherwise takes a few milliseconds. `--force` always
 * builds.
 */
const STAMP = 'apps/web/dist/.built-from'

function fingerprint(): string {
  const hash = createHash('sha256')
  const files = globSync([
    'apps/web/{src,public}/**/*',
    'apps/web/*.{html,ts,json}',
    'packages/*/src/**/*.ts',
    'package-lock.json',
  ])
  for (const file of files.sort()) {
    if (!statSync(file).isFile()) continue
    hash.update(file).update(readFileSync(file))
  }
  return hash.digest('hex')
}

const wanted = fingerprint()
const built = existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : ''
if (built !== wanted || process.argv.includes('--force')) {
  process.stdout.write('Building the screens\n')
  for (const mode of ['production', 'patient', 'signup', 'board']) {
    const args = ['node_modules/vite/bin/vite.js', 'build', 'apps/web', '--logLevel', 'warn', '--mode', mode]
    const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
    if (status !== 0) {
      process.stderr.write('The screens could not be built; the lines above say why.\n')
      process.exit(status ?? 1)
    }
  }
  writeFileSync(STAMP, wanted)
}
