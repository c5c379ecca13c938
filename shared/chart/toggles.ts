// Names and descriptions of the six premium toggles, in display order.
import { chartFlagNames, type ChartFlag } from './chart-flags.ts'

export interface Toggle {
  readonly flag: ChartFlag
  readonly label: string
  readonly name: string
  readonly explanation: string
}

const meanings: Readonly<Record<ChartFlag, readonly [name: string, explanation: string]>> = {
  blockPressure: ['Block Pressure', 'Buying vs selling pressure. TradingView draws Bull Bear Power.'],
  volumeDelta: ['Volume Delta', 'Volume bought minus volume sold in each candle; an estimate where the source does not say.'],
  zigZag: ['Zig Zag', 'Joins the larger swings and leaves out the noise; its last leg can still move.'],
  pivotpoint: ['Pivot Points', 'Support and resistance levels worked out from the previous period.'],
  renkoSRvolume: [
    'Renko SR Volume',
    'Price levels where Renko bricks turned, by the volume traded there. TradingView draws Donchian Channels.',
  ],
  pricePercentageShadedCandel: [
    'Price % Shaded Candles',
    'The further a candle moved in percent, the stronger its colour. TradingView draws Bollinger Bars.',
  ],
}

/** Chart 1 to Chart 6. */
export const toggles: readonly Toggle[] = chartFlagNames.map((flag, index) => {
  const [name, explanation] = meanings[flag]
  return { flag, label: `Chart ${index + 1}`, name, explanation }
})
