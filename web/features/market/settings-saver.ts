// Saves the toggles a moment after the last change: a burst is one save, and a failed one goes back to what was saved.
import type { ChartFlags } from '#shared/market/chart-flags.ts'

export interface SaverNeeds {
  readonly save: (flags: ChartFlags) => Promise<ChartFlags>
  readonly delayMs: number
  readonly onSaved: (flags: ChartFlags) => void
  /** Gets the flags that the server still has. */
  readonly onFailed: (flags: ChartFlags) => void
}

export interface SettingsSaver {
  /** Takes the flags as they should be, and as they were before any unsaved change. */
  change(next: ChartFlags, before: ChartFlags): void
  /** Saves at once what waits. */
  flush(): void
}

export function createSettingsSaver({ save, delayMs, onSaved, onFailed }: SaverNeeds): SettingsSaver {
  let confirmed: ChartFlags | undefined
  let waiting: ChartFlags | undefined
  let isSaving = false
  let timer: ReturnType<typeof setTimeout> | undefined

  async function run(): Promise<void> {
    clearTimeout(timer)
    // One save at a time, so that an older answer can never overtake a newer one.
    if (waiting === undefined || isSaving) return
    const sent = waiting
    waiting = undefined
    isSaving = true
    const outcome = await save(sent).then(
      (saved) => ({ saved }),
      () => undefined,
    )
    isSaving = false
    if (outcome !== undefined) confirmed = outcome.saved
    if (waiting !== undefined) return run()
    const last = confirmed
    confirmed = undefined
    if (outcome !== undefined) onSaved(outcome.saved)
    else if (last !== undefined) onFailed(last)
  }

  return {
    change(next, before) {
      confirmed ??= before
      waiting = next
      clearTimeout(timer)
      timer = setTimeout(() => void run(), delayMs)
    },
    flush: () => void run(),
  }
}
