// Responds on the socket to data that is not a valid request.
import type { Socket } from 'node:net'
import { AppError, problemOf } from '#shared/http/app-error.ts'
import { apiHeaders } from './security-headers.ts'

/** Responds to invalid HTTP, and to requests that are too slow or too large. */
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
  const body = JSON.stringify({ ...problemOf(new AppError('invalid', 'http.badRequest')), statuscode: Number(status) })
  const headers = Object.entries({
    ...apiHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  })
  socket.end(`HTTP/1.1 ${status} ${text}\r\n${headers.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${body}`)
}
