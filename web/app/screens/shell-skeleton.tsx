// Skeleton of the app shell while the session is verified: the same rows at the same heights.
import { appText } from '#shared/text/en/app.ts'
import { EarlySlot } from '#web/features/chart/early-slot.tsx'
import { LogoMark } from '#web/ui/logo.tsx'

/** Fills the window; announced once as loading. */
export function ShellSkeleton() {
  return (
    <output aria-label={appText.loading} className="flex h-dvh flex-col bg-canvas">
      <div className="flex h-11 shrink-0 items-center gap-4 border-b border-line bg-surface px-3">
        <LogoMark />
        <Bar className="w-20" />
        <Bar className="ml-auto w-28 max-sm:hidden" />
        <Bar className="w-16 max-sm:ml-auto" />
      </div>
      <div className="flex h-7 shrink-0 items-center gap-4 border-b border-line bg-surface px-3 pointer-coarse:h-11">
        <Bar className="w-14" />
        <Bar className="w-14" />
        <Bar className="w-14" />
        <Bar className="ml-auto w-40 max-sm:hidden" />
      </div>
      <div className="relative flex-1">
        <EarlySlot isNameShown />
      </div>
    </output>
  )
}

function Bar({ className }: { readonly className: string }) {
  return <span className={`h-2.5 animate-breathe rounded-control bg-hover ${className}`} />
}
