// Phones: bar at the bottom of the screen with the tools of the active chart, and below them timeframes and layouts.
import type { Ref } from 'react'
import { ScrollRow } from '#web/ui/scroll-row.tsx'
import { ViewTools, type ViewToolsProps } from './menu-row.tsx'

export function PhoneBar({ slot, ...tools }: ViewToolsProps & { readonly slot: Ref<HTMLDivElement> }) {
  return (
    <div data-testid="phone-bar" className="shrink-0 border-t border-line bg-surface">
      {/* A locked chart has no tools. */}
      <div className="h-9 px-1 has-[[data-tools]:empty]:hidden pointer-coarse:h-11">
        <ScrollRow>
          <div ref={slot} data-tools className="flex min-w-full shrink-0 items-center justify-between" />
        </ScrollRow>
      </div>
      <ViewTools {...tools} />
    </div>
  )
}
