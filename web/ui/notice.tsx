// One sentence in place of a panel's content, with what can be done about it.
import type { ReactNode } from 'react'
import { kitText as text } from '#shared/text/en/kit.ts'
import { serverMessageOf } from '#web/lib/failure.ts'
import { Button } from './button.tsx'

export function Notice({ text: sentence, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <div className="flex min-h-16 flex-wrap items-center justify-between gap-4 rounded-panel border border-line px-4 py-3 text-13 text-text-2">
      <p>{sentence}</p>
      {children}
    </div>
  )
}

interface FailureNoticeProps {
  readonly error: unknown
  /** Where the server gave no sentence of its own. */
  readonly fallback?: string
  readonly isBusy: boolean
  readonly onRetry: () => void
}

/** Why something could not be loaded, with the way to try again. */
export function FailureNotice({ error, fallback = text.loadFailed, isBusy, onRetry }: FailureNoticeProps) {
  return (
    <div role="alert">
      <Notice text={serverMessageOf(error) ?? fallback}>
        <Button variant="outline" isBusy={isBusy} onClick={onRetry}>
          {text.tryAgain}
        </Button>
      </Notice>
    </div>
  )
}
