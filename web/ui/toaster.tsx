// Mount point of the toasts; the component is loaded with the first message, or preloaded.
import { useEffect, useState } from 'react'
import { fetched } from './fetched.tsx'
import { onToast, wakeToaster } from '#web/lib/toast.ts'

const loadStack = () => import('./toast-stack.tsx')
// Its failure could only be told by itself.
const ToastStack = fetched(
  async () => (await loadStack()).ToastStack,
  null,
  () => null,
)

/**
 * Mounts the stack before the first message: after a lost connection its code could not be loaded,
 * and screen readers only announce changes in a live region that they already know.
 */
export function preloadToaster(): void {
  loadStack().then(wakeToaster, () => undefined)
}

/** Render once at the root. */
export function Toaster() {
  const [isNeeded, setIsNeeded] = useState(false)
  useEffect(() => (isNeeded ? undefined : onToast(() => setIsNeeded(true))), [isNeeded])
  return isNeeded ? <ToastStack /> : null
}
