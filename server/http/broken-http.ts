// Answers on a socket what never becomes a request.
import type { Socket } from 'node:net'
import { AppError, problemOf } from '#shared/http/errors.ts'
import { httpText } from '#shared/text/en/http.ts'
import { apiHeaders } from './security-headers.ts'

/** Answers what is no HTTP at all, or too slow or too large to become a request. */
export function answerBrokenHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, text] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431', 'Request Header Fields Too Large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408', 'Request Timeout']
        : ['400', 'Bad Request']
  const body = JSON.stringify({ ...problemOf(new AppError('invalid', httpText.badRequest)), statuscode: Number(status) })
  const headers = Object.entries({
    ...apiHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  })
  socket.end(`HTTP/1.1 ${status} ${text}\r\n${headers.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${body}`)
}
