// When the expected alerts and messages of a failure began and ended.
import type { CheckName } from '#shared/system-status/system-check.ts'
import { systemAlertsText, systemStatusText } from '#shared/system-status/text/en.ts'
import type { AlertFault } from './alert-faults.ts'
import type { ReceivedMessage } from './alert-receivers.ts'
import type { PrometheusAlert } from './prometheus.ts'

/** Milliseconds of the monotonic clock. */
interface Times {
  pendingMs?: number | undefined
  firingMs?: number | undefined
  resolvedMs?: number | undefined
  /** Where messages of the failure arrived: a bot's path or an address. */
  channels?: readonly string[]
}

function isFailing(name: CheckName, text: string): boolean {
  return text.split('\n').some((line) => line.startsWith(systemStatusText.checkNames[name]) && line.includes('has been failing'))
}

/** One failure, from its beginning to the end of its last alert. */
export class AlertTimes {
  readonly fault: AlertFault
  readonly #alerts: ReadonlyMap<string, Times>
  readonly #messages: ReadonlyMap<CheckName, Times>
  readonly #beganMs = performance.now()
  #endedMs: number | undefined

  constructor(fault: AlertFault) {
    this.fault = fault
    this.#alerts = new Map(fault.alerts.map((name) => [name, {}]))
    this.#messages = new Map(fault.messages.map((name) => [name, {}]))
  }

  end(): void {
    this.#endedMs = performance.now()
  }

  /** Takes what is active now, and all messages so far. */
  observe(active: readonly PrometheusAlert[], messages: readonly ReceivedMessage[]): void {
    const nowMs = performance.now()
    for (const [name, times] of this.#alerts) {
      const states = active.filter(({ labels }) => labels.alertname === name).map(({ state }) => state)
      if (states.length > 0) times.pendingMs ??= nowMs
      if (states.includes('firing')) times.firingMs ??= nowMs
      if (!states.includes('firing') && this.#endedMs !== undefined && times.firingMs !== undefined) times.resolvedMs ??= nowMs
    }
    for (const [name, times] of this.#messages) {
      const failing = messages.filter(({ atMs, text }) => atMs > this.#beganMs && isFailing(name, text))
      times.firingMs ??= failing[0]?.atMs
      times.channels = [...new Set(failing.map(({ to }) => to))]
      const endedMs = this.#endedMs ?? Infinity
      times.resolvedMs ??= messages.find(({ atMs, text }) => atMs > endedMs && text.includes(systemAlertsText.recoveredLine(name)))?.atMs
    }
  }

  /** What has not begun. */
  get missing(): string[] {
    return this.#names(({ firingMs }) => firingMs === undefined)
  }

  /** What has begun and not ended. */
  get lasting(): string[] {
    return this.#names(({ firingMs, resolvedMs }) => firingMs !== undefined && resolvedMs === undefined)
  }

  /** One row of the table for each alert and message. */
  rows(): Readonly<Record<string, string | number>>[] {
    const seconds = (ms: number | undefined, fromMs = 0): number | string => (ms === undefined ? '–' : Math.round((ms - fromMs) / 1_000))
    return [...this.#alerts, ...[...this.#messages].map(([name, times]) => [`message: ${name}`, times] as const)].map(
      ([alert, { pendingMs, firingMs, resolvedMs, channels = ['Prometheus'] }]) => ({
        fault: this.fault.name,
        alert,
        'pending, s': seconds(pendingMs, this.#beganMs),
        'firing, s': seconds(firingMs, this.#beganMs),
        'resolved after the end, s': seconds(resolvedMs, this.#endedMs),
        channels: channels.join(', '),
      }),
    )
  }

  #names(isWanted: (times: Times) => boolean): string[] {
    return [...this.#alerts, ...this.#messages].filter(([, times]) => isWanted(times)).map(([name]) => name)
  }
}
