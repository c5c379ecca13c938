// Queue of toasts; small, so that any code can show a toast without loading the component.

export type ToastKind = 'ok' | 'info' | 'warn' | 'danger'

export interface ToastNote {
  readonly kind: ToastKind
  readonly text: string
  /** Whom the message is about. */
  readonly title?: string
  /** A button; the toast stays as long as it can be pressed, and longer while hovered or focused. */
  readonly action?: { readonly label: string; readonly forMs: number; readonly run: () => void }
}

let waiting: ToastNote[] = []
let isAwake = false
let wake: (() => void) | undefined

/** Shows a short message at the bottom right, for five seconds unless it has an action, and announces it. */
export function toast(note: ToastNote): void {
  waiting.push(note)
  wakeToaster()
}

/** Calls the listener, now or once it is registered. */
export function wakeToaster(): void {
  isAwake = true
  wake?.()
}

/** Returns and clears the queue. */
export function takeToasts(): readonly ToastNote[] {
  const taken = waiting
  waiting = []
  return taken
}

/** Called at each new message, and at once if woken before; one listener at a time. Returns an unsubscribe function. */
export function onToast(listener: () => void): () => void {
  wake = listener
  if (isAwake) listener()
  return () => {
    if (wake === listener) wake = undefined
  }
}
