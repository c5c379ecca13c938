// Marks the candles that stay missing because their source sent prices that cannot be true.
import { useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import { missingTimes } from '#shared/chart/missing-candles.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import { chartQuery } from '../api.ts'
import type { NativeChart } from './chart-port.ts'

export interface MissingMarksOptions {
  readonly slug: string
  readonly timeframe: Timeframe
  readonly isPremium: boolean
  /** Display name of the shown source. */
  readonly source: string | undefined
}

export function useMissingMarks(chart: Pick<NativeChart, 'setMissing'> | undefined, options: MissingMarksOptions): void {
  const { slug, timeframe, isPremium, source } = options
  const missing = useQuery(chartQuery(slug, isPremium)).data?.missing
  useEffect(() => {
    if (missing !== undefined) chart?.setMissing(missingTimes(missing, source, timeframe))
  }, [chart, missing, source, timeframe])
}
