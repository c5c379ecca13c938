// All studies: the six of the premium toggles in their order, then the classics.
import { atr } from './atr.ts'
import { blockPressure } from './block-pressure.ts'
import { bollinger } from './bollinger.ts'
import { ema } from './ema.ts'
import { macd } from './macd.ts'
import { pivotpoint } from './pivotpoint.ts'
import { pricePercentageShadedCandel } from './price-percentage-shaded-candel.ts'
import { renkoSRvolume } from './renko-sr-volume.ts'
import { rsi } from './rsi.ts'
import { sma } from './sma.ts'
import { type StudyId } from './study-ids.ts'
import { type Study } from './study.ts'
import { supertrend } from './supertrend.ts'
import { volumeDelta } from './volume-delta.ts'
import { vwap } from './vwap.ts'
import { zigZag } from './zig-zag.ts'

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
