import { spawn } from 'node:child_process'

/** Both sides while you work: the server restarts on a change, the screens reload in place on http://localhost:5173. */
const children = [
  spawn(process.execPath, ['--watch', 'apps/server/src/main.ts'], { stdio: 'inherit' }),
  spawn(process.execPath, ['node_modules/vite/bin/vite.js', 'apps/web', '--port', '5173'], { stdio: 'inherit' }),
]
for (const child of children) {
  child.on('exit', () => {
    for (const other of children) other.kill('SIGTERM')
  })
}
