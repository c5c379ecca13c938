// Small demo of the product: groups, timeframes, countdown and chart, on labelled sample data.
import { useState } from 'react'
import { landingText } from '#shared/landing/text/en.ts'
import { cn } from '#web/lib/cn.ts'
import { DemoChart } from './demo-chart.tsx'
import { DemoClock } from './demo-clock.tsx'
import { demoMarkets, demoTimeframes, type DemoMarket, type DemoTimeframe } from './demo-markets.ts'

const [firstMarket] = demoMarkets
const firstTimeframe: DemoTimeframe = { label: '5m', minutes: 5 }

/** Group and timeframe are interactive; in the prerendered page from the first touch on. */
export function DemoTerminal() {
  const [market, setMarket] = useState<DemoMarket>(firstMarket)
  const [minutes, setMinutes] = useState(firstTimeframe.minutes)
  const timeframe = demoTimeframes.find((item) => item.minutes === minutes) ?? firstTimeframe
  return (
    <section data-island aria-label={landingText.demoTitle} className="overflow-hidden rounded-dialog border border-line-strong bg-canvas">
      <div className="flex min-h-11 flex-wrap items-center gap-x-5 gap-y-1 border-b border-line bg-surface px-3 py-1">
        <p className="flex items-baseline gap-2 whitespace-nowrap">
          <span className="text-14 font-semibold">{market.label}</span>
          <span className="text-12 text-text-3 max-md:hidden">{market.name}</span>
        </p>
        <p className="ml-auto flex items-center gap-2 text-12 whitespace-nowrap text-text-2">
          <span className="rounded-control border border-warn/50 px-1.5 py-px text-11 font-semibold text-warn">{landingText.demo}</span>
          {landingText.illustrative}
        </p>
        <p className="flex items-baseline gap-2 text-12 whitespace-nowrap text-text-3 max-sm:hidden">
          {landingText.nextCandle}
          <DemoClock minutes={minutes} className="text-14 font-semibold text-text" />
        </p>
      </div>
      <div className="flex items-center justify-between border-b border-line bg-surface px-1 max-sm:flex-col max-sm:items-stretch">
        <Choices
          label={landingText.market}
          items={demoMarkets.map((item) => ({
            text: landingText.groups[item.group],
            isOn: item === market,
            choose: () => setMarket(item),
          }))}
        />
        <Choices
          label={landingText.timeframe}
          items={demoTimeframes.map((item) => ({
            text: item.label,
            isOn: item.minutes === minutes,
            choose: () => setMinutes(item.minutes),
          }))}
        />
      </div>
      <DemoChart market={market} timeframe={timeframe} />
    </section>
  )
}

interface ChoicesProps {
  readonly label: string
  readonly items: readonly { readonly text: string; readonly isOn: boolean; readonly choose: () => void }[]
}

function Choices({ label, items }: ChoicesProps) {
  return (
    <fieldset aria-label={label} className="flex min-w-0 max-sm:*:flex-1 max-sm:last:border-t max-sm:last:border-line">
      {items.map(({ text, isOn, choose }) => (
        <button
          key={text}
          type="button"
          aria-pressed={isOn}
          onClick={choose}
          className={cn(
            'relative h-8 rounded-control px-2 text-12 font-medium transition-colors focus-visible:-outline-offset-2 pointer-coarse:h-11',
            isOn ? 'text-text after:absolute after:inset-x-2 after:bottom-0 after:h-0.5 after:bg-accent' : 'text-text-3 hover:text-text',
          )}
        >
          {text}
        </button>
      ))}
    </fieldset>
  )
}
