// Placeholder card in place of a chart: one sentence why there is no chart, and what to do.
import type { ReactNode } from 'react'

export interface ChartCardProps {
  readonly icon: ReactNode
  readonly title: string
  readonly text: string
  /** Buttons and links, primary action first. */
  readonly children: ReactNode
}

export function ChartCard({ icon, title, text, children }: ChartCardProps) {
  return (
    <div aria-live="polite" className="absolute inset-0 grid place-items-center overflow-auto bg-canvas p-4">
      <div className="max-w-md rounded-panel border border-line bg-surface px-6 py-6 text-center max-sm:px-4">
        <div aria-hidden className="mx-auto mb-3 grid size-10 place-items-center rounded-full bg-hover text-text-2">
          {icon}
        </div>
        <h2 className="text-16 font-semibold text-balance">{title}</h2>
        <p className="mt-1 text-13 text-pretty text-text-2">{text}</p>
        <div className="mt-4 flex flex-wrap justify-center gap-2">{children}</div>
      </div>
    </div>
  )
}
