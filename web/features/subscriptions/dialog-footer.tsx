// Footer of the dialog when there is nothing to send: close, or contact support.
import { marketText } from '#shared/chart/text/en-shell.ts'
import { site } from '#web/lib/site.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { MessageCircleIcon } from '#web/ui/icon.ts'

export function DialogFooter({ onClose }: { readonly onClose: () => void }) {
  return (
    <div className="mt-4 flex flex-wrap justify-end gap-2">
      <Button variant="outline" onClick={onClose}>
        {marketText.close}
      </Button>
      <a href={site.supportUrl} target="_blank" rel="noopener noreferrer" className={buttonClass()}>
        <MessageCircleIcon aria-hidden className="size-3.5" strokeWidth={1.75} />
        {marketText.subscriptionSupport}
      </a>
    </div>
  )
}
