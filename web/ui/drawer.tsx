// Drawer that slides in from the right edge.
import { Dialog as Base } from '@base-ui/react/dialog'
import { useContext, type ReactNode } from 'react'
import { kitText as text } from '#shared/base/text/en-kit.ts'
import { CloseIcon } from './icon.ts'
import { NestedDialogContext } from './nested-dialog-context.ts'

export interface DrawerProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly description?: string
  readonly children: ReactNode
}

/** Traps the focus; closes by Escape and by a click outside. */
export function Drawer({ isOpen, onClose, title, description, children }: DrawerProps) {
  const nested = useContext(NestedDialogContext)
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-canvas/75 transition-opacity duration-200 ease-out data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup className="fixed inset-y-0 right-0 z-40 flex w-full max-w-100 flex-col border-l border-line-strong bg-raised transition duration-200 ease-out data-ending-style:translate-x-1 data-ending-style:opacity-0 data-starting-style:translate-x-1 data-starting-style:opacity-0 max-sm:max-w-none max-sm:border-l-0">
          <div className="flex shrink-0 items-start justify-between gap-4 border-b border-line p-4">
            <div className="min-w-0">
              <Base.Title className="truncate text-16 font-semibold">{title}</Base.Title>
              {description !== undefined && (
                <Base.Description className="text-13 [overflow-wrap:anywhere] text-text-2">{description}</Base.Description>
              )}
            </div>
            <Base.Close
              aria-label={text.close}
              className="-mt-0.5 -mr-1 grid size-7 shrink-0 place-items-center rounded-control text-text-3 hover:bg-hover hover:text-text pointer-coarse:-mt-2.5 pointer-coarse:-mr-2 pointer-coarse:size-11"
            >
              <CloseIcon aria-hidden className="size-4" strokeWidth={1.5} />
            </Base.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto p-4">{children}</div>
          {nested}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
