import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const BEARERBOX = '/usr/sbin/bearerbox'
const SMSBOX = '/usr/sbin/smsbox'
const FAKE_SMSC = '/usr/lib/kannel/test/fakesmsc'

/** Whether Debian's kannel and kannel-extras are installed. */
export const hasKannel = [BEARERBOX, SMSBOX, FAKE_SMSC].every((path) => existsSync(path))

export interface Kannel {
  /** Where texts are handed over. */
  sendUrl: string
  /** What the pretended operator received, from its log. */
  log: () => string
  /** Lets a pretended phone text us. One phone at a time. */
  phone: (words: string) => void
  stop: () => Promise<void>
}

/** A real Kannel with its pretended operator for tests. Replies go to `replyUrl`. */
export async function startKannel(replyUrl: string): Promise<Kannel> {
  const folder = mkdtempSync(join(tmpdir(), 'pillar-kannel-'))
  const [admin, boxes, smsc, send] = await Promise.all([freePort(), freePort(), freePort(), freePort()])
  const file = join(folder, 'kannel.conf')
  writeFileSync(
    file,
    `group = core\nadmin-port = ${admin}\nadmin-password = x\nsmsbox-port = ${boxes}\nbox-allow-ip = "127.0.0.1"\n
group = smsc\nsmsc = fake\nsmsc-id = fake\nport = ${smsc}\nconnect-allow-ip = 127.0.0.1\n
group = smsbox\nbearerbox-host = 127.0.0.1\nsendsms-port = ${send}\n
group = sendsms-user\nusername = pillar\npassword = secret\nmax-messages = 6\nconcatenation = true\n
group = sms-service\nkeyword = default\nget-url = "${replyUrl}"\nmax-messages = 0\n`,
  )
  let log = ''
  const running: ChildProcess[] = []
  const run = (path: string, ...words: string[]) => {
    const child = spawn(path, words, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (path === FAKE_SMSC) log += text
    })
    running.push(child)
    return child
  }
  run(BEARERBOX, file)
  await wait(1_500)
  run(SMSBOX, file)
  const operator = (words: string, messages: number) =>
    run(FAKE_SMSC, '-H', '127.0.0.1', '-r', String(smsc), '-i', '0.2', '-m', String(messages), words)
  await wait(1_500)
  let one = operator('1 2 nop', 0)
  await wait(500)
  return {
    sendUrl: `http://127.0.0.1:${send}/cgi-bin/sendsms?username=pillar&password=secret`,
    log: () => log,
    phone(words) {
      one.kill()
      one = operator(words, 1)
    },
    async stop() {
      for (const child of running.reverse()) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        const gone = new Promise((resolve) => child.once('exit', resolve))
        child.kill('SIGKILL')
        await gone
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
