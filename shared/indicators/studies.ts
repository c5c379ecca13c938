// All studies: the six of the premium toggles in their order, then the others.
import { atr } from './studies/atr.ts'
import { blockPressure } from './studies/block-pressure.ts'
import { bollinger } from './studies/bollinger.ts'
import { ema } from './studies/ema.ts'
import { macd } from './studies/macd.ts'
import { pivotpoint } from './studies/pivotpoint.ts'
import { pricePercentageShadedCandel } from './studies/price-percentage-shaded-candel.ts'
import { renkoSRvolume } from './studies/renko-sr-volume.ts'
import { rsi } from './studies/rsi.ts'
import { sma } from './studies/sma.ts'
import { type StudyId } from './lib/study-ids.ts'
import { type Study } from './lib/study.ts'
import { supertrend } from './studies/supertrend.ts'
import { volumeDelta } from './studies/volume-delta.ts'
import { vwap } from './studies/vwap.ts'
import { zigZag } from './studies/zig-zag.ts'

export const studies: Readonly<Record<StudyId, Study>> = {
  blockPressure,
  volumeDelta,
  zigZag,
  pivotpoint,
  renkoSRvolume,
  pricePercentageShadedCandel,
  sma,
  ema,
  rsi,
  macd,
  bollinger,
  vwap,
  atr,
  supertrend,
}
