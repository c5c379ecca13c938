// Small screens: sheet with the header content that does not fit.
import { Dialog } from '@base-ui/react/dialog'
import { marketText } from '#shared/chart/text/en-shell.ts'
import { HeaderDate, HeaderTime } from '#web/features/chart/header-clock.tsx'
import { CloseIcon } from '#web/ui/icon.ts'
import { AccountActions, SupportLink, type AccountProps } from './account-actions.tsx'
import { iconButtonClass } from './menu-button.tsx'
import { UserBadge } from './user-badge.tsx'

export function AccountSheet({ isOpen, onClose, ...account }: AccountProps & { readonly isOpen: boolean; readonly onClose: () => void }) {
  const andClose = (action: () => void) => () => {
    onClose()
    action()
  }
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-canvas/75 transition-opacity duration-200 ease-out data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup className="fixed top-0 right-0 z-40 max-h-dvh w-full max-w-90 overflow-y-auto rounded-bl-dialog border-b border-l border-line-strong bg-raised max-sm:max-w-none max-sm:rounded-br-dialog max-sm:border-l-0 transition duration-200 ease-out data-ending-style:-translate-y-1 data-ending-style:opacity-0 data-starting-style:-translate-y-1 data-starting-style:opacity-0">
          <div className="flex h-11 items-center justify-between border-b border-line pr-2 pl-4">
            <Dialog.Title className="text-13 font-semibold">{marketText.account}</Dialog.Title>
            <Dialog.Close aria-label={marketText.close} className={iconButtonClass}>
              <CloseIcon aria-hidden className="size-4.5" strokeWidth={1.5} />
            </Dialog.Close>
          </div>
          <div className="flex items-center justify-between gap-3 border-b border-line px-4 py-3 text-13">
            <UserBadge {...account} />
          </div>
          <div className="flex items-center justify-between gap-3 border-b border-line px-4 py-3 text-13">
            <HeaderDate />
            <HeaderTime />
          </div>
          <div className="grid gap-1 p-2 *:h-10 *:justify-start *:px-2 *:text-13">
            <SupportLink />
            <AccountActions {...account} onSettings={andClose(account.onSettings)} onPremium={andClose(account.onPremium)} />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
