// Checks the site as a visitor reaches it: name, certificate, reverse proxy, WebSocket and the clock of the response.
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { TLSSocket } from 'node:tls'
import { WebSocket } from 'ws'
import { dayMs } from '#shared/base/durations.ts'
import { basePath } from '#shared/http/route.ts'
import { livePath } from '#shared/market-data/live/contract.ts'
import { failed, ok, warning, type CheckResult } from './check.ts'
import { readDate, type CheckReport } from './clock-reading.ts'
import { isAlive } from './check-port.ts'

export interface PublicUrlOptions {
  /** Origin of the site, such as https://tezi.example. */
  readonly origin: string
  /** Wall clock, epoch milliseconds. */
  readonly now: () => number
  /** Certificate authority and name lookup other than those of Node. */
  readonly ca?: string | undefined
  readonly lookup?: LookupFunction | undefined
}

interface HealthResponse {
  readonly status: number
  readonly text: string
  readonly date: string | null
  readonly age: string | null
  /** End of the certificate, epoch milliseconds; undefined without TLS. */
  readonly certificateEndMs: number | undefined
}

/** Certificates are renewed 30 days before their end; 14 days mean that the renewal does not work. */
const renewalDays = 14
/** A response of Tezi to /healthz is much shorter. */
const bodyBytesMax = 4_096

const address = 'public address'
const certificate = 'certificate'
const runbook = 'docs/operating/production.md#6-reverse-proxy'

/** Requests `/healthz` through the public address, then opens the socket of live prices. */
export async function checkPublicUrl(options: PublicUrlOptions, signal: AbortSignal): Promise<CheckReport> {
  const { origin, now } = options
  const sentMs = now()
  let response: HealthResponse
  try {
    response = await requestHealth(options, signal)
  } catch (error) {
    return { results: [unreachable(origin, error as NodeJS.ErrnoException)], readings: [] }
  }
  const reading = readDate(origin, response.date, response.age, sentMs, now())
  const results = [...certificateResults(response, now()), addressResult(origin, response)]
  if (results.some(({ name, status }) => name === address && status === 'ok')) results.push(await checkSocket(options, signal))
  return { results, readings: reading === undefined ? [] : [reading] }
}

function requestHealth({ origin, ca, lookup }: PublicUrlOptions, signal: AbortSignal): Promise<HealthResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<HealthResponse>()
  const request = origin.startsWith('https:') ? httpsRequest : httpRequest
  // Its own connection: a reused one would not show its certificate again.
  const options = { signal, agent: false, ...(ca !== undefined && { ca }), ...(lookup !== undefined && { lookup }) }
  request(`${origin}/healthz`, options, (message) => void readResponse(message).then(resolve, reject))
    .on('error', reject)
    .end()
  return promise
}

async function readResponse(message: IncomingMessage): Promise<HealthResponse> {
  const { socket, headers } = message
  const certificateEndMs = socket instanceof TLSSocket ? Date.parse(socket.getPeerCertificate().valid_to) : undefined
  let text = ''
  for await (const chunk of message.setEncoding('utf8')) {
    text += chunk as string
    if (text.length > bodyBytesMax) break
  }
  return { status: message.statusCode ?? 0, text, date: headers.date ?? null, age: headers.age ?? null, certificateEndMs }
}

function unreachable(origin: string, error: NodeJS.ErrnoException): CheckResult {
  const { code = '', message } = error
  const { hostname } = new URL(origin)
  if (['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA'].includes(code))
    return failed(
      address,
      `the name ${hostname} is not known`,
      `Add an A or AAAA record for ${hostname} at your DNS provider, and wait for it.`,
    )
  const isConnection = ['ECONNREFUSED', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNRESET', 'EPIPE', 'ABORT_ERR'].includes(code)
  if (isConnection || error.name === 'AggregateError' || error.name === 'AbortError') {
    // Many networks do not lead back to their own public address.
    const action = `Start the proxy and open its ports in the firewall. If ${origin} works from elsewhere, ignore this: ${runbook}`
    return warning(address, `${origin} does not answer from this machine (${code || error.name})`, action)
  }
  return failed(certificate, `${hostname}: ${message}`, `Look into the log of the proxy for why it has no valid certificate: ${runbook}`)
}

function certificateResults({ certificateEndMs }: HealthResponse, nowMs: number): CheckResult[] {
  if (certificateEndMs === undefined) return []
  const days = Math.floor((certificateEndMs - nowMs) / dayMs)
  const found = `valid for ${days} more days`
  if (days >= renewalDays) return [ok(certificate, found)]
  return [warning(certificate, found, 'The proxy should have renewed it by now: check its log.')]
}

function addressResult(origin: string, { status, text }: HealthResponse): CheckResult {
  if (status === 200 && isAlive(text)) return ok(address, `Tezi answers at ${origin}`)
  if (status === 502 || status === 503 || status === 504)
    return failed(
      address,
      `${origin} answers ${status}: the proxy does not reach Tezi`,
      'Start Tezi, and compare its HOST and PORT with the proxy.',
    )
  return failed(address, `${origin}/healthz answers ${status}, but not as Tezi does`, `Let the proxy forward all paths to Tezi: ${runbook}`)
}

/** Tezi accepts the socket before the session, so that no account is needed. */
function checkSocket({ origin, ca, lookup }: PublicUrlOptions, signal: AbortSignal): Promise<CheckResult> {
  const name = 'live prices'
  const { promise, resolve } = Promise.withResolvers<CheckResult>()
  const action = `Let the proxy forward WebSocket upgrades of ${basePath}: ${runbook}`
  const socket = new WebSocket(`${origin.replace(/^http/, 'ws')}${basePath}${livePath}`, {
    origin,
    ...(ca !== undefined && { ca }),
    ...(lookup !== undefined && { lookup }),
  })
  const end = (result: CheckResult): void => {
    resolve(result)
    socket.terminate()
  }
  socket.on('open', () => end(ok(name, 'the socket opens')))
  socket.on('unexpected-response', (_request, { statusCode }) => end(failed(name, `the socket is answered with ${statusCode}`, action)))
  socket.on('error', (error) => end(failed(name, `the socket does not open: ${error.message}`, action)))
  signal.addEventListener('abort', () => socket.terminate(), { once: true })
  return promise
}
