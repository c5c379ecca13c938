// Renders the toasts: bottom right, dark, removed after 5,000 ms, announced by screen readers.
import { Toast } from '@base-ui/react/toast'
import { useEffect } from 'react'
import { kitText } from '#shared/text/en/kit.ts'
import { CheckIcon, CloseIcon, ErrorIcon, InfoIcon, WarningIcon } from './icon.ts'
import { onToast, takeToasts, type ToastKind } from '#web/lib/toast-queue.ts'

const closeAfterMs = 5000
const stackMax = 4

const looks = {
  ok: { Icon: CheckIcon, color: 'text-ok', name: 'Done' },
  info: { Icon: InfoIcon, color: 'text-accent', name: 'Note' },
  warn: { Icon: WarningIcon, color: 'text-warn', name: 'Warning' },
  danger: { Icon: ErrorIcon, color: 'text-danger', name: 'Error' },
} as const

const manager = Toast.createToastManager()

/** The stack; takes over the queue once it is mounted. */
export function ToastStack() {
  useEffect(
    () =>
      onToast(() => {
        for (const { kind, text } of takeToasts()) {
          manager.add({ type: kind, description: text })
        }
      }),
    [],
  )
  return (
    <Toast.Provider toastManager={manager} timeout={closeAfterMs} limit={stackMax}>
      <Toast.Portal>
        <Toast.Viewport className="fixed right-4 bottom-4 z-50 flex w-88 flex-col gap-2 max-sm:left-4 max-sm:w-auto">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((item) => {
    const { Icon, color, name } = looks[(item.type ?? 'info') as ToastKind]
    return (
      <Toast.Root
        key={item.id}
        toast={item}
        aria-label={name}
        swipeDirection={['right', 'down']}
        className="rounded-panel border border-line-strong bg-raised opacity-100 transition duration-200 ease-out data-ending-style:translate-y-1 data-ending-style:opacity-0 data-limited:hidden data-starting-style:translate-y-1 data-starting-style:opacity-0"
      >
        <Toast.Content className="flex items-start gap-3 py-3 pr-2 pl-3">
          <Icon aria-hidden className={`mt-px size-4 shrink-0 ${color}`} strokeWidth={1.75} />
          <Toast.Description className="min-w-0 flex-1 text-13 leading-[1.4] text-text [overflow-wrap:anywhere]" />
          <Toast.Close
            aria-label={kitText.closeMessage}
            className="-my-1 grid size-6 shrink-0 place-items-center rounded-control text-text-3 hover:bg-hover hover:text-text pointer-coarse:-my-3 pointer-coarse:size-11"
          >
            <CloseIcon aria-hidden className="size-3.5" />
          </Toast.Close>
        </Toast.Content>
      </Toast.Root>
    )
  })
}
