// Toasts that wait to be shown; small, so that any code may say something without loading the drawing of it.

export type ToastKind = 'ok' | 'info' | 'warn' | 'danger'

export interface ToastNote {
  readonly kind: ToastKind
  readonly text: string
}

let waiting: ToastNote[] = []
let isAwake = false
let wake: (() => void) | undefined

/** Shows a short message at the bottom right for five seconds and reads it out. */
export function toast(note: ToastNote): void {
  waiting.push(note)
  wakeToaster()
}

/** Calls the listener, now or as soon as there is one. */
export function wakeToaster(): void {
  isAwake = true
  wake?.()
}

/** Takes all messages that wait. */
export function takeToasts(): readonly ToastNote[] {
  const taken = waiting
  waiting = []
  return taken
}

/** Calls back at each new message, and at once if it was woken before; one listener at a time. Returns the way to stop. */
export function onToast(listener: () => void): () => void {
  wake = listener
  if (isAwake) listener()
  return () => {
    if (wake === listener) wake = undefined
  }
}
