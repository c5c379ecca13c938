// Mount point of the toasts; the component is loaded with the first message, or preloaded.
import { useEffect, useState } from 'react'
import { onToast, takeToasts, wakeToaster, type ToastNote } from '#web/lib/toast.ts'
import { Button } from './button.tsx'
import { fetched } from './fetched.tsx'
import { Notice } from './notice.tsx'

const plainMs = 10_000
const loadStack = () => import('./toast-stack.tsx')
const ToastStack = fetched(async () => (await loadStack()).ToastStack, null, PlainToast)

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

/** The newest message, where the code of the stack could not be loaded. */
export function PlainToast() {
  const [note, setNote] = useState<ToastNote>()
  useEffect(() => onToast(() => setNote((before) => takeToasts().at(-1) ?? before)), [])
  const action = note?.action
  useEffect(() => {
    const timer = note && setTimeout(() => setNote(undefined), action?.forMs ?? plainMs)
    return () => clearTimeout(timer)
  }, [note, action])
  return (
    <output className="fixed right-4 bottom-4 z-50 bg-surface">
      {note && (
        <Notice
          text={
            <>
              <b>{note.title}</b> <span>{note.text}</span>
            </>
          }
        >
          {action && (
            <Button variant="outline" onClick={action.run}>
              {action.label}
            </Button>
          )}
        </Notice>
      )}
    </output>
  )
}
