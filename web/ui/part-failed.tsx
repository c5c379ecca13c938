// What stands in place of a part whose code could not be loaded.
import { useEffect } from 'react'
import { kitText as text } from '#shared/base/text/en-kit.ts'
import { toast } from '#web/lib/toast.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

export interface PartFailedProps {
  readonly onRetry: () => void
}

export function PartFailed({ onRetry }: PartFailedProps) {
  return (
    <div role="alert">
      <Notice text={text.partFailed}>
        <Button variant="outline" onClick={onRetry}>
          {text.retry}
        </Button>
      </Notice>
    </div>
  )
}

/** For a part that is a whole screen. */
export function ScreenFailed(props: PartFailedProps) {
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <PartFailed {...props} />
    </main>
  )
}

/** For a part that takes no space of its own. */
export function HiddenPartFailed({ onRetry }: PartFailedProps) {
  useEffect(() => {
    toast({ kind: 'danger', text: text.partFailed, action: { label: text.retry, forMs: 30_000, run: onRetry } })
  }, [onRetry])
  return null
}
