// Receivers of Tezi's own messages about failures: a Bot API like Telegram's, and a mail server.
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { z } from 'zod'

export interface ReceivedMessage {
  /** The bot's token or the recipient, which tells who sent it. */
  readonly to: string
  /** Subject and lines. */
  readonly text: string
  readonly atMs: number
}

export interface AlertReceivers {
  readonly telegramUrl: string
  readonly smtpUrl: string
  readonly messages: readonly ReceivedMessage[]
  stop(): void
}

const bodySchema = z.object({ text: z.string() })

/** Starts both on free ports. */
export async function startAlertReceivers(): Promise<AlertReceivers> {
  const messages: ReceivedMessage[] = []
  const bots = createHttpServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => (text += part))
    request.on('end', () => {
      messages.push({ to: request.url ?? '', text: bodySchema.parse(JSON.parse(text)).text, atMs: performance.now() })
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true,"result":{}}')
    })
  })
  const mails = createServer((socket) => takeMails(socket, (to, text) => messages.push({ to, text, atMs: performance.now() })))
  const [telegramPort, smtpPort] = await Promise.all([listen(bots), listen(mails)])
  return {
    telegramUrl: `http://127.0.0.1:${telegramPort}`,
    smtpUrl: `smtp://127.0.0.1:${smtpPort}?from=tezi@drill.example`,
    messages,
    stop() {
      bots.close()
      bots.closeAllConnections()
      mails.close()
    },
  }
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Just enough SMTP to accept mails. */
function takeMails(socket: Socket, onMail: (to: string, text: string) => void): void {
  let received = ''
  let isData = false
  const reply = (line: string): void => void socket.write(`${line}\r\n`)
  reply('220 drill')
  socket.on('error', () => socket.destroy())
  socket.setEncoding('utf8').on('data', (part: string) => {
    received += part
    for (;;) {
      const end = isData ? received.indexOf('\r\n.\r\n') : received.indexOf('\r\n')
      if (end < 0) return
      const text = received.slice(0, end)
      received = received.slice(end + (isData ? 5 : 2))
      if (isData) {
        // Long lines are cut by "=" (RFC 2045, 6.7).
        onMail(/^To: (.*)/im.exec(text)?.[1] ?? '', text.replaceAll('=\r\n', ''))
      }
      const isBody = !isData && text.toUpperCase() === 'DATA'
      reply(isBody ? '354 go ahead' : /^quit/i.test(text) && !isData ? '221 bye' : '250 ok')
      isData = isBody
    }
  })
}
