// Demo chart beside the sign-in form on wide screens, labelled as sample data.
import { landingText } from '#shared/text/en/landing.ts'
import { DemoChart } from '#web/features/landing/demo-chart.tsx'
import { demoMarkets } from '#web/features/landing/demo-markets.ts'

const market = demoMarkets[1]
const timeframe = { label: '5m', minutes: 5 } as const

/** Hidden below 1024 px, where the form needs the space. */
export function LoginAside() {
  return (
    <aside aria-label={landingText.illustrative} className="flex flex-col border-l border-line max-lg:hidden">
      <p className="flex items-center gap-2 border-b border-line px-4 py-2 text-12 text-text-2">
        <span className="text-13 font-semibold text-text">{market.label}</span>
        {timeframe.label}
        <span className="ml-auto rounded-control border border-warn/50 px-1.5 py-px text-11 font-semibold text-warn">DEMO</span>
        {landingText.illustrative}
      </p>
      <DemoChart market={market} timeframe={timeframe} className="min-h-96 flex-1" />
    </aside>
  )
}
