// Texts of the six premium toggles: name and explanation.
import { texts } from '#shared/text/texts.ts'

export const toggleText = texts('toggles', {
  label: (number: number) => `Chart ${number}`,
  meanings: {
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
  },
})
