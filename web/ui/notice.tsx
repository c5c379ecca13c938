// Message in place of a panel's content, with an action.
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { kitText as text } from '#shared/base/text/en-kit.ts'
import { serverMessageOf } from '#web/lib/api-error.ts'
import { Button } from './button.tsx'

export function Notice({ text: sentence, children }: { readonly text: ReactNode; readonly children?: ReactNode }) {
  return (
    <div className="flex min-h-16 flex-wrap items-center justify-between gap-4 rounded-panel border border-line px-4 py-3 text-13 text-text-2">
      <p>{sentence}</p>
      {children}
    </div>
  )
}

interface FailureNoticeProps {
  readonly query: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>
  /** Used if the server gave no message. */
  readonly fallback?: string
  /** Shown instead of any message of the server. */
  readonly text?: string
}

/** Load error with a Retry button. */
export function FailureNotice({ query, fallback = text.loadFailed, text: sentence }: FailureNoticeProps) {
  return (
    <div role="alert">
      <Notice text={sentence ?? serverMessageOf(query.error) ?? fallback}>
        <Button variant="outline" isBusy={query.isFetching} onClick={() => void query.refetch()}>
          {text.tryAgain}
        </Button>
      </Notice>
    </div>
  )
}

/** In place of a panel while it loads. */
export function PanelSkeleton({ label, className = 'h-16' }: { readonly label: string; readonly className?: string }) {
  return <output aria-label={label} className={`block animate-breathe rounded-panel border border-line bg-surface ${className}`} />
}
