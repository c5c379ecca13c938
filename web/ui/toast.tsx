// Toasts: the place on the page where messages appear; what draws them is loaded with the first message, or before.
import { useEffect, useState } from 'react'
import { fetched } from './fetched.tsx'
import { onToast, wakeToaster } from './toast-queue.ts'

export { toast } from './toast-queue.ts'

const loadStack = () => import('./toast-stack.tsx')
const ToastStack = fetched(async () => (await loadStack()).ToastStack)

/**
 * Puts the stack on the page before there is a message: one about a lost connection could not be fetched
 * any more, and screen readers announce only what appears in a region that they know already.
 */
export function preloadToaster(): void {
  loadStack().then(wakeToaster, () => undefined)
}

/** Put once at the root. */
export function Toaster() {
  const [isNeeded, setIsNeeded] = useState(false)
  useEffect(() => (isNeeded ? undefined : onToast(() => setIsNeeded(true))), [isNeeded])
  return isNeeded ? <ToastStack /> : null
}
