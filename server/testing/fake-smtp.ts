// A mail server that speaks just enough SMTP, without STARTTLS, and remembers what it was told.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

export interface FakeSmtp {
  readonly port: number
  received(): string
  close(): void
}

export async function fakeSmtp({ rejectsRecipients = false, port = 0 } = {}): Promise<FakeSmtp> {
  let received = ''
  const server = createServer((socket) => {
    let isData = false
    let message = ''
    socket.write('220 test\r\n')
    socket.on('data', (chunk) => {
      const text = chunk.toString()
      received += text
      message += text
      if (isData) {
        if (!message.endsWith('\r\n.\r\n')) return
        isData = false
        socket.write('250 taken\r\n')
      } else if (text.startsWith('DATA')) {
        isData = true
        socket.write('354 go on\r\n')
      } else if (text.startsWith('RCPT') && rejectsRecipients) socket.write('550 no such box\r\n')
      else if (text.startsWith('STARTTLS')) socket.write('502 not known\r\n')
      else if (text.startsWith('AUTH')) socket.write('235 welcome\r\n')
      else if (text.startsWith('EHLO')) socket.write('250-test\r\n250 AUTH PLAIN\r\n')
      else socket.write('250 fine\r\n')
    })
    socket.on('error', () => {})
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, received: () => received, close: () => void server.close() }
}
