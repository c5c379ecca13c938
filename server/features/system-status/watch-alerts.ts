// Notifies the operator by mail or Telegram of lasting failures, and of their end.
import { hourMs, minuteMs, secondMs } from '#shared/base/durations.ts'
import type { CheckName, SystemCheck } from '#shared/system-status/system-check.ts'
import { systemAlertsText as text } from '#shared/system-status/text/en.ts'
import type { Alert, AlertChannel } from '#server/alerts/alert-channel.ts'

export interface AlertWatchOptions {
  readonly checks: () => Promise<readonly SystemCheck[]>
  readonly channels: readonly AlertChannel[]
  readonly brandName: string
  /** Name of this machine. */
  readonly host: string
  /** Milliseconds that never go back. */
  readonly monotonic: () => number
  readonly onError: (error: unknown) => void
}

const everyMs = 30 * secondMs
/** A shorter failure, such as a restart of the database, is not reported. */
const holdMs = 3 * minuteMs
const repeatMs = 12 * hourMs

/** One round: reads the checks and sends what has changed. A message that no channel takes is sent in a later round. */
export function alertRounds(options: AlertWatchOptions): () => Promise<void> {
  const { brandName, host, monotonic } = options
  /** When the failing checks began to fail. */
  const since = new Map<CheckName, number>()
  const reported = new Set<CheckName>()
  let sentMs = -Infinity

  return async () => {
    const checks = await options.checks()
    const nowMs = monotonic()
    for (const { name, state } of checks) {
      // A state that this process does not know is neither a failure nor its end.
      if (state === 'unknown') continue
      if (state !== 'failing') since.delete(name)
      else if (!since.has(name)) since.set(name, nowMs)
    }
    const ageMs = (name: CheckName): number => nowMs - (since.get(name) ?? nowMs)
    const lasting = checks.filter(({ name, state }) => state === 'failing' && (reported.has(name) || ageMs(name) >= holdMs))
    const recovered = [...reported].filter((name) => !since.has(name))
    const lines = [
      ...recovered.map((name) => text.recoveredLine(name)),
      ...lasting.map((check) => text.failingLine(check, Math.floor(ageMs(check.name) / minuteMs))),
    ]
    const isDue = lasting.some(({ name }) => !reported.has(name)) || (lasting.length > 0 && nowMs - sentMs >= repeatMs)
    if (!isDue && recovered.length === 0) return
    const subject = lasting.length > 0 ? text.failingSubject(brandName, lasting) : text.recoveredSubject(brandName)
    if (!(await send(options, { subject, text: [...lines, '', text.sentBy(host)].join('\n') }))) return
    sentMs = nowMs
    reported.clear()
    for (const { name } of lasting) reported.add(name)
  }
}

/** True if a channel has accepted it. */
async function send({ channels, onError }: AlertWatchOptions, alert: Alert): Promise<boolean> {
  const results = await Promise.allSettled(channels.map((channel) => channel.send(alert)))
  for (const result of results) if (result.status === 'rejected') onError(result.reason)
  return results.some(({ status }) => status === 'fulfilled')
}

/** Runs rounds until `stop`. Does nothing without a channel. */
export function watchAlerts(options: AlertWatchOptions): { stop(): void } {
  if (options.channels.length === 0) return { stop() {} }
  const round = alertRounds(options)
  let isRunning = false
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    void round()
      .catch(options.onError)
      .finally(() => (isRunning = false))
  }, everyMs)
  return { stop: () => clearInterval(timer) }
}
