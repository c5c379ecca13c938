// Toasts by Base UI, as others insert style tags: bottom right, dark, gone after 5,000 ms without an action, announced by screen readers.
import { Toast } from '@base-ui/react/toast'
import { useEffect } from 'react'
import { kitText } from '#shared/base/text/en-kit.ts'
import { cn } from '#web/lib/cn.ts'
import { CheckIcon, CloseIcon, ErrorIcon, InfoIcon, WarningIcon } from './icon.ts'
import { onToast, takeToasts, type ToastKind, type ToastNote } from '#web/lib/toast.ts'

const closeAfterMs = 5000
const stackMax = 4

const looks = {
  ok: { Icon: CheckIcon, color: 'text-ok' },
  info: { Icon: InfoIcon, color: 'text-accent' },
  warn: { Icon: WarningIcon, color: 'text-warn' },
  danger: { Icon: ErrorIcon, color: 'text-danger' },
} as const

const manager = Toast.createToastManager()

function show({ kind, title, text, action }: ToastNote): void {
  const id = manager.add({
    type: kind,
    description: title === undefined ? text : <Titled title={title} text={text} />,
    ...(action === undefined ? {} : { timeout: action.forMs, actionProps: { children: action.label, onClick: () => press(action) } }),
  })
  function press({ run }: NonNullable<ToastNote['action']>): void {
    manager.close(id)
    run()
  }
}

/** In the description, so that the kind of the message stays the accessible name. */
function Titled({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <>
      <span className="block font-medium">{title}</span>
      <span>{text}</span>
    </>
  )
}

/** The stack; takes over the queue once it is mounted. */
export function ToastStack() {
  useEffect(
    () =>
      onToast(() => {
        for (const note of takeToasts()) show(note)
      }),
    [],
  )
  return (
    <Toast.Provider toastManager={manager} timeout={closeAfterMs} limit={stackMax}>
      <Toast.Portal>
        <Toast.Viewport
          ref={publishHeight}
          aria-label={kitText.notifications}
          className="fixed right-4 bottom-4 z-50 flex w-88 flex-col gap-2 max-sm:left-4 max-sm:w-auto"
        >
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

/** Sets `--toasts` to the height that they take at the bottom, so that a page on a small screen can keep its controls above. */
function publishHeight(viewport: HTMLElement | null) {
  if (viewport === null) return undefined
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => {
    const { offsetHeight } = viewport
    style.setProperty('--toasts', offsetHeight === 0 ? '0px' : `calc(${offsetHeight}px + 1.5rem)`)
  })
  observer.observe(viewport)
  return () => {
    observer.disconnect()
    style.removeProperty('--toasts')
  }
}

function ToastList() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((item) => {
    const kind = (item.type ?? 'info') as ToastKind
    const { Icon, color } = looks[kind]
    return (
      <Toast.Root
        key={item.id}
        toast={item}
        aria-label={kitText.toasts[kind]}
        swipeDirection={['right', 'down']}
        // One with a way back stays usable above the others until its time is over.
        className={cn(
          'rounded-panel border border-line-strong bg-raised opacity-100 transition duration-200 ease-out data-ending-style:translate-y-1 data-ending-style:opacity-0 data-starting-style:translate-y-1 data-starting-style:opacity-0',
          item.actionProps === undefined && 'data-limited:hidden',
        )}
        {...(item.actionProps === undefined ? {} : { inert: false })}
      >
        <Toast.Content className="flex items-start gap-3 py-3 pr-2 pl-3">
          <Icon aria-hidden className={`mt-px size-4 shrink-0 ${color}`} strokeWidth={1.75} />
          <Toast.Description className="min-w-0 flex-1 text-13 leading-[1.4] text-text [overflow-wrap:anywhere]" />
          <Toast.Action className="-my-1 h-6 shrink-0 self-center rounded-control border border-line-strong px-2 text-12 font-medium hover:bg-hover pointer-coarse:-my-3 pointer-coarse:h-11" />
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
