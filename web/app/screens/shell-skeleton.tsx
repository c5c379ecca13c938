// Skeletons while the session is verified: the same parts at the same sizes as the screen that comes.
import { appText } from '#shared/app/text/en.ts'
import { EarlySlot } from '#web/features/chart/early-slot.tsx'
import { LogoMark } from '#web/ui/logo.tsx'

/** Of the chart screens. Fills the window; announced once as loading. */
export function ShellSkeleton() {
  return (
    <output aria-label={appText.loading} data-testid="chart-skeleton" className="flex h-dvh flex-col bg-canvas">
      <Top />
      <div className="flex shrink-0 items-center gap-4 border-b border-line bg-surface px-3 h-8 sm:h-16 lg:h-7.5 pointer-coarse:h-11.25 pointer-coarse:sm:h-22.25 pointer-coarse:lg:h-11">
        <Bar className="w-14" />
        <Bar className="w-14" />
        <Bar className="w-14" />
        <Bar className="ml-auto w-40 max-sm:hidden" />
      </div>
      <div className="relative min-h-0 flex-1">
        <EarlySlot isNameShown />
      </div>
      <div className="flex h-17.25 shrink-0 items-center gap-4 border-t border-line bg-surface px-3 sm:hidden pointer-coarse:h-22.25">
        <Bar className="w-full" />
      </div>
    </output>
  )
}

/** Of the admin area: a sidebar and a page with a table. */
export function AdminSkeleton() {
  return (
    <output
      aria-label={appText.loading}
      data-testid="admin-skeleton"
      className="flex h-dvh flex-col bg-canvas md:grid md:grid-cols-[12.5rem_minmax(0,1fr)]"
    >
      <div className="flex h-11 shrink-0 items-center border-b border-line bg-surface px-3 md:h-dvh md:flex-col md:items-start md:gap-5 md:border-r md:border-b-0 md:p-5">
        <LogoMark />
        {sidebar.map((width) => (
          <Bar key={width} className={`max-md:hidden ${width}`} />
        ))}
      </div>
      <div className="grid content-start gap-4 p-4">
        <Bar className="h-5 w-36" />
        <Bar className="h-8 w-full" />
        <Bar className="h-96 w-full" />
      </div>
    </output>
  )
}

/** Of pages with text and forms below a header. */
export function PageSkeleton() {
  return (
    <output aria-label={appText.loading} data-testid="page-skeleton" className="flex h-dvh flex-col bg-canvas">
      <Top />
      <span className="mx-auto grid w-full max-w-4xl content-start gap-6 px-4 py-8 sm:px-6">
        <Bar className="h-8 w-40" />
        <Bar className="h-32 w-full" />
        <Bar className="h-48 w-full" />
      </span>
    </output>
  )
}

const sidebar = ['w-24', 'w-28', 'w-32', 'w-26', 'w-20', 'w-22'] as const

function Top() {
  return (
    <span className="flex h-11 shrink-0 items-center gap-4 border-b border-line bg-surface px-3">
      <LogoMark />
      <Bar className="w-20" />
      <Bar className="ml-auto w-28 max-sm:hidden" />
      <Bar className="w-16 max-sm:ml-auto" />
    </span>
  )
}

function Bar({ className }: { readonly className: string }) {
  return <span className={`min-h-2.5 shrink-0 animate-breathe rounded-control bg-hover ${className}`} />
}
