import { type AddressInfo, createServer, type Socket } from 'node:net'

export interface MailServer {
  url: string
  /** The emails it has accepted. */
  received: { from: string; to: string[]; data: string }[]
  /** Its answer to an email's content; null: it accepts it, and breaks off without an answer. */
  answer: string | null
  /** It answers to the content of an email only after this. */
  after: Promise<void>
  close: () => void
}

/** A mail server on this machine that speaks just enough SMTP (RFC 5321) to accept or refuse an email. */
export async function startMailServer(): Promise<MailServer> {
  const server = createServer((socket) => speak(socket, mail))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const mail: MailServer = {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    answer: '250 taken',
    after: Promise.resolve(),
    close: () => void server.close(),
  }
  return mail
}

function speak(socket: Socket, mail: MailServer): void {
  let letter = { from: '', to: [] as string[], data: '' }
  let inData = false
  let buffer = ''
  socket.write('220 test\r\n')
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    buffer += chunk.toString('utf8')
    for (let end = buffer.indexOf('\r\n'); end >= 0; end = buffer.indexOf('\r\n')) {
      const line = buffer.slice(0, end)
      buffer = buffer.slice(end + 2)
      if (inData) {
        if (line !== '.') letter.data += `${line.replace(/^\./, '')}\n`
        else {
          inData = false
          const { answer } = mail
          if (answer === null || answer.startsWith('2')) mail.received.push(letter)
          letter = { from: '', to: [], data: '' }
          // Slow enough for others to come in between.
          const end = () => setTimeout(() => (answer === null ? socket.destroy() : socket.write(`${answer}\r\n`)), 30)
          void mail.after.then(end)
        }
      } else if (/^EHLO/i.test(line)) socket.write('250 test\r\n')
      else if (/^MAIL FROM/i.test(line)) {
        letter.from = line.slice(10)
        socket.write('250 ok\r\n')
      } else if (/^RCPT TO/i.test(line)) socket.write(`250 ${letter.to.push(line.slice(8))}\r\n`)
      else if (/^DATA/i.test(line)) {
        inData = true
        socket.write('354 go on\r\n')
      } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
      else socket.write('500 what\r\n')
    }
  })
}
