// Adjusted prices: selectable in the options, persisted, and labelled only where an action applies.
import { useState } from 'react'
import { expect, test } from 'vitest'
import type { Adjustment } from '#shared/candles/corporate-actions.ts'
import type { LiveCondition } from '#shared/market-data/live/contract.ts'
import { preferencesNow } from '#web/lib/preferences.ts'
import { eventually } from '#web/testing/eventually.ts'
import { renderUi } from '#web/testing/render.tsx'
import { OptionsPopover } from './options-popover.tsx'
import { useAdjuster } from './use-adjuster.ts'
import { useChartOptions } from './use-chart-options.ts'

function Options() {
  return <OptionsPopover options={useChartOptions()} />
}

test('the adjustment is stored with the other chart options', async () => {
  const page = renderUi(<Options />)
  const chosen = async (label: string) => (await page.field(label)).checked
  expect(await chosen('Splits, bonuses')).toBe(true)
  await page.user.click(await page.field('+ demergers'))
  await eventually(async () => expect(await chosen('+ demergers')).toBe(true))
  expect(preferencesNow().workspace.options).toMatchObject({ style: 'candles', adjustment: 'all' })
})

const real: LiveCondition = {
  label: { mode: 'live', source: 'Zerodha', delayMinutes: 0, proxy: null },
  sessionClass: 'nse-equity',
  isStale: false,
  reason: null,
}
const demo: LiveCondition = { ...real, label: { mode: 'demo', source: 'Demo', delayMinutes: 0, proxy: null }, sessionClass: 'crypto' }

interface NoteProps {
  readonly series: string
  readonly adjustment: Adjustment
  readonly condition: LiveCondition | undefined
}

function Note({ series, adjustment, condition }: NoteProps) {
  const { adjusted, adjuster, isKnown } = useAdjuster(series, adjustment, condition)
  return <output>{[adjusted, adjuster === undefined ? 'as traded' : 'adjusted', isKnown ? 'known' : 'unknown'].join('|')}</output>
}

test('between two timeframes the prices keep their adjustment, and another instrument has its own', async () => {
  const shown: readonly NoteProps[] = [
    { series: 'reliance', adjustment: 'splits', condition: real },
    { series: 'reliance', adjustment: 'splits', condition: undefined },
    { series: 'tata-steel', adjustment: 'splits', condition: undefined },
  ]
  function Notes() {
    const [at, setAt] = useState(0)
    return (
      <>
        <button type="button" onClick={() => setAt(at + 1)}>
          next
        </button>
        {shown.slice(at, at + 1).map((props) => (
          <Note key="one" {...props} />
        ))}
      </>
    )
  }
  const page = renderUi(<Notes />)
  await page.see('Adjusted for splits and bonuses|adjusted|known')
  await page.press('next')
  await page.see('Adjusted for splits and bonuses|adjusted|known')
  await page.press('next')
  await page.see('|as traded|unknown')
})

test.each([
  ['reliance', 'splits', real, 'Adjusted for splits and bonuses|adjusted|known'],
  ['reliance', 'all', real, 'Adjusted for splits, bonuses and demergers|adjusted|known'],
  ['tata-steel', 'all', real, 'Adjusted for splits and bonuses|adjusted|known'],
  ['tata-motors', 'all', real, 'Adjusted for splits, bonuses and demergers|adjusted|known'],
  // No action of the selected kinds, generated prices, or no prices yet.
  ['tata-motors', 'splits', real, '|as traded|known'],
  ['havells', 'all', real, '|as traded|known'],
  ['nifty', 'all', real, '|as traded|known'],
  ['reliance', 'none', real, '|as traded|known'],
  ['reliance', 'splits', demo, '|as traded|known'],
  ['reliance', 'splits', undefined, '|as traded|unknown'],
] as const)('%s with %s reads %#', async (series, adjustment, condition, text) => {
  const page = renderUi(<Note series={series} adjustment={adjustment} condition={condition} />)
  await page.see(text)
})
