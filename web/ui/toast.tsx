// Toasts: the place on the page where messages appear; what draws them is loaded with the first message.
import { lazy, Suspense, useEffect, useState } from 'react'
import { onToast } from './toast-queue.ts'

export { toast, type ToastKind, type ToastNote } from './toast-queue.ts'

const loadStack = () => import('./toast-stack.tsx')
const ToastStack = lazy(async () => ({ default: (await loadStack()).ToastStack }))

/** Fetches the drawing beforehand, so that a message about a lost connection can still be shown. */
export function preloadToaster(): void {
  loadStack().catch(() => undefined)
}

/** Put once at the root. */
export function Toaster() {
  const [isNeeded, setIsNeeded] = useState(false)
  useEffect(() => (isNeeded ? undefined : onToast(() => setIsNeeded(true))), [isNeeded])
  return isNeeded ? (
    <Suspense fallback={null}>
      <ToastStack />
    </Suspense>
  ) : null
}
