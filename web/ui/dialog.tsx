// Modal dialog: traps the focus, closes by Escape and by a click outside.
import { Dialog as Base } from '@base-ui/react/dialog'
import { useContext, type ReactNode, type RefObject } from 'react'
import { kitText } from '#shared/base/text/en-kit.ts'
import { cn } from '#web/lib/cn.ts'
import { CloseIcon } from './icon.ts'
import { NestedDialogContext } from './nested-dialog-context.ts'

export interface DialogProps {
  readonly isOpen: boolean
  /** Undefined while only its own button may close it, for example for secrets that are shown once. */
  readonly onClose: (() => void) | undefined
  readonly title: string
  readonly description?: ReactNode
  readonly children: ReactNode
  /** Width of the panel in the class name, such as `max-w-md`. */
  readonly widthClass?: string
  /** Hides what is below the dialog, which stays mounted. */
  readonly hidesPage?: boolean
  /** Focused when the dialog opens; defaults to the first control. */
  readonly firstField?: RefObject<HTMLElement | null>
}

/** The focus returns to its previous element when the dialog closes. */
export function Dialog({
  isOpen,
  onClose,
  title,
  description,
  children,
  widthClass = 'max-w-md',
  hidesPage = false,
  firstField,
}: DialogProps) {
  const nested = useContext(NestedDialogContext)
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose?.()
      }}
    >
      <Base.Portal>
        <Base.Backdrop
          // Also for nested dialogs, so that the lower one is dimmed.
          forceRender
          className={cn(
            'fixed inset-0 z-40 transition-opacity duration-200 ease-out data-ending-style:opacity-0 data-starting-style:opacity-0',
            hidesPage ? 'bg-canvas' : 'bg-canvas/75',
          )}
        />
        <Base.Popup
          initialFocus={firstField}
          className={`fixed top-1/2 left-1/2 z-40 max-h-[calc(100dvh-2rem)] max-sm:max-h-[calc(100dvh-2rem-2*var(--toasts,0px))] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-dialog border border-line-strong bg-raised p-4 transition duration-200 ease-out data-ending-style:opacity-0 data-starting-style:opacity-0 ${widthClass}`}
        >
          <div className="flex items-start justify-between gap-4">
            <Base.Title className="text-16 font-semibold">{title}</Base.Title>
            {onClose !== undefined && (
              <Base.Close
                aria-label={kitText.close}
                className="-mt-0.5 -mr-1 grid size-7 shrink-0 place-items-center rounded-control text-text-3 hover:bg-hover hover:text-text pointer-coarse:-mt-2.5 pointer-coarse:-mr-2 pointer-coarse:size-11"
              >
                <CloseIcon aria-hidden className="size-4" strokeWidth={1.5} />
              </Base.Close>
            )}
          </div>
          {description !== undefined && <Base.Description className="mt-1 text-13 text-text-2">{description}</Base.Description>}
          <div className="mt-4">{children}</div>
          {nested}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
