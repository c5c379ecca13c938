// Timeframes as UDF resolutions.
import { AppError } from '#shared/http/app-error.ts'
import { knownTimeframes, type Timeframe } from '#shared/candles/timeframe.ts'

/** Every supported resolution. */
export const resolutions: readonly string[] = knownTimeframes

export const intradayResolutions: readonly string[] = knownTimeframes.filter((timeframe) => /^\d+$/.test(timeframe))

/** The timeframe of a resolution such as 5, 1D or D. Throws `invalid` for an unsupported one. */
export function parseResolution(resolution: string): Timeframe {
  const code = /^[DWM]$/.test(resolution) ? `1${resolution}` : resolution
  const timeframe = knownTimeframes.find((known) => known === code)
  if (timeframe === undefined) throw new AppError('invalid', 'udf.unknownResolution')
  return timeframe
}

export function isIntraday(timeframe: Timeframe): boolean {
  return intradayResolutions.includes(timeframe)
}
