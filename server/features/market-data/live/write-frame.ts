// Writes text frames to an open WebSocket connection. `ws` makes a header and two writes for each socket of a broadcast.
import type { Writable } from 'node:stream'

const finalText = 0x81
/** Larger frames are not copied behind their header. */
const copiedMax = 16 * 1024

/** Complete frames of texts that may go to many sockets. */
const whole = new WeakMap<Buffer, Buffer>()

/** Sends an unmasked, uncompressed text and its `rest`, if any; `sent` is called when it has left the process. */
export function writeFrame(stream: Writable, text: Buffer, sent?: () => void, rest?: Buffer): void {
  if (rest === undefined && text.length <= copiedMax) {
    stream.write(wholeFrame(text), sent)
    return
  }
  const start = rest === undefined ? headerOf(text.length) : Buffer.concat([headerOf(text.length + rest.length), text])
  stream.cork()
  stream.write(start)
  stream.write(rest ?? text, sent)
  stream.uncork()
}

function wholeFrame(text: Buffer): Buffer {
  const known = whole.get(text)
  if (known !== undefined) return known
  const frame = Buffer.concat([headerOf(text.length), text])
  whole.set(text, frame)
  return frame
}

/** RFC 6455, 5.2: the length takes 7 bits, or 16 or 64 more. */
function headerOf(length: number): Buffer {
  if (length < 126) return Buffer.from([finalText, length])
  const header = Buffer.alloc(length < 65_536 ? 4 : 10)
  header[0] = finalText
  header[1] = length < 65_536 ? 126 : 127
  if (length < 65_536) header.writeUInt16BE(length, 2)
  else header.writeUIntBE(length, 4, 6)
  return header
}
