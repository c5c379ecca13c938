// Reads the text of a response, up to a size.
import type { IncomingMessage } from 'node:http'

/** @throws TypeError beyond `bytesMax`; the connection is then closed */
export async function readBody(answer: IncomingMessage, bytesMax: number): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of answer) {
    const bytes = part as Buffer
    size += bytes.length
    if (size > bytesMax) {
      answer.destroy()
      throw new TypeError('The answer is too large')
    }
    parts.push(bytes)
  }
  return Buffer.concat(parts).toString('utf8')
}
