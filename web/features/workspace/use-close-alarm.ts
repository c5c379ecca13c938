// Alarm shortly before the current candle closes, also while the tab is hidden.
import { useEffect } from 'react'
import { timeframeLabel } from '#shared/candles/timeframe.ts'
import { workspaceText } from '#shared/workspace/text/en.ts'
import { nextCheckMs, nextAlarm, type NextAlarm, type WatchedCandle } from '#shared/workspace/next-alarm.ts'
import type { AlarmSettings } from '#shared/workspace/workspace.ts'
import { usePreferences } from '#web/lib/preferences.ts'
import { showNotification } from '#web/lib/show-notification.ts'
import { toast } from '#web/lib/toast.ts'
import { playAlarm } from './play-alarm.ts'

export interface AlarmCandle extends Omit<WatchedCandle, 'zone'> {
  /** Label of the instrument. */
  readonly label: string
  /** Server clock minus browser clock, in milliseconds; undefined means no offset. */
  readonly clockOffsetMs: (() => number) | undefined
}

/** Long timers drift, and none may be longer than 24 days: check again after this time. */
const longestMs = 60_000

/** One alarm per page; `place` is undefined without a candle to watch. */
export function useCloseAlarm(place: AlarmCandle | undefined): void {
  const alarm = usePreferences(({ workspace }) => workspace.alarm)
  const { label, sessionClass, timeframe, clockOffsetMs } = place ?? {}
  useEffect(() => {
    if (!alarm.isOn || label === undefined || timeframe === undefined) return undefined
    const candle = { sessionClass, timeframe, zone: Intl.DateTimeFormat().resolvedOptions().timeZone }
    const now = () => Date.now() + (clockOffsetMs?.() ?? 0)
    return watch(candle, { alarm, now, signal: () => signal(alarm, workspaceText.alarmTitle(label, timeframeLabel(timeframe))) })
  }, [alarm, label, sessionClass, timeframe, clockOffsetMs])
}

interface Watch {
  readonly alarm: AlarmSettings
  readonly now: () => number
  readonly signal: () => void
}

function watch(candle: WatchedCandle, { alarm, now, signal }: Watch): () => void {
  const timer = new Worker(new URL('alarm-timer.worker.ts', import.meta.url), { type: 'module' })
  let due: NextAlarm | null = null
  let doneCloseMs: number | undefined
  function wait(): void {
    const nowMs = now()
    due ??= nextAlarm(candle, { nowMs, secondsBefore: alarm.secondsBefore, doneCloseMs })
    const atMs = due?.atMs ?? nextCheckMs(candle, nowMs) ?? nowMs + longestMs
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    timer.postMessage(Math.min(longestMs, Math.max(0, atMs - nowMs)))
  }
  timer.addEventListener('message', () => {
    const nowMs = now()
    if (due !== null && nowMs >= due.atMs) {
      // After sleep the candle may already be closed: a late alarm would be wrong.
      if (nowMs < due.closeMs) signal()
      doneCloseMs = due.closeMs
      due = null
    }
    wait()
  })
  wait()
  return () => timer.terminate()
}

function signal(alarm: AlarmSettings, title: string): void {
  const body = workspaceText.alarmBody(alarm.secondsBefore)
  if (alarm.hasSound) playAlarm()
  const isShown = alarm.hasNotification && showNotification(title, { body, tag: 'candle-close', silent: alarm.hasSound })
  if (!isShown) toast({ kind: 'info', text: `${title}: ${body}` })
}
