// Baseline of the candles route: a bare node:http response with the same bytes, which are passed as a message.
import { once } from 'node:events'
import { createServer } from 'node:http'

const [text] = (await once(process, 'message')) as [string]
const bytes = Buffer.from(text)
const bare = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length })
  response.end(bytes)
})
await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve))
process.send?.((bare.address() as { port: number }).port)
