// Chart of one instrument in the chosen engine, or the reason why there is none.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ChartChoice } from '#shared/chart/chart-choice.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import { apiErrorOf } from '#web/lib/api-error.ts'
import { fetched } from '#web/ui/fetched.tsx'
import { chartQuery } from './api.ts'
import { ChunkFailedCard, FailedCard, HiddenCard, NoChartCard } from './chart-cards.tsx'
import { LoadingOverlay, type Stage } from './chart-stage.tsx'
import { dropEarlyChart } from './early-chart.ts'
import { LockedCard } from './locked-card.tsx'
import type { NativeStageProps } from './native/native-stage.tsx'
import { WidgetStage } from './widget-stage.tsx'

const NativeStage = fetched<NativeStageProps>(
  async () => (await import('./native/native-stage.tsx')).NativeStage,
  <LoadingOverlay />,
  ChunkFailedCard,
)

export interface ChartProps {
  readonly instrument: Instrument
  readonly timeframe: Timeframe
  readonly choice: ChartChoice
  /** What would be shown without the provider. */
  readonly offlineChoice: ChartChoice
  readonly isPremium: boolean
  readonly isAdmin: boolean
  readonly onStage: (stage: Stage) => void
  readonly onWantPremium: () => void
  /** URL of the free chart. */
  readonly freeChart: string
  /** Portal target for the tools of the Tezi chart. */
  readonly toolSlot: HTMLElement | null
  /** Portal target for its drawing tools; null while the chart is not the active one. */
  readonly toolRail: HTMLElement | null
}

export function Chart(props: ChartProps) {
  const locked = <LockedCard onWantPremium={props.onWantPremium} freeChart={props.freeChart} />
  return !props.instrument.isFree && !props.isPremium ? locked : <ListedChart {...props} locked={locked} />
}

function ListedChart({ locked, ...props }: ChartProps & { readonly locked: React.ReactElement }) {
  const { instrument, timeframe, choice, isPremium, onStage, toolSlot } = props
  const { data, error, refetch } = useQuery(chartQuery(instrument.slug, isPremium))
  const rejection = apiErrorOf(error)
  const pending = data !== undefined ? undefined : error === null ? 'loading' : 'unreachable'
  // Without this the stage would be that of the previous chart until the new frame exists.
  useEffect(() => {
    if (pending !== undefined) onStage(pending)
  }, [pending, onStage])
  // Another instrument swaps its series in the chart: the chart waits for the server's answer.
  const [isKept, setIsKept] = useState(false)
  const isNative = choice.engine === 'native' && (data !== undefined || (isKept && error === null))
  if (isNative !== isKept) setIsKept(isNative)
  const isElsewhere = error !== null || (data !== undefined && choice.engine !== 'native')
  useEffect(() => {
    if (isElsewhere) dropEarlyChart()
  }, [isElsewhere])
  if (rejection?.code === 'http.premiumRequired') return locked
  if (rejection?.status === 404) return <HiddenCard freeChart={props.freeChart} />
  if (data === undefined && !isNative) return error === null ? <LoadingOverlay /> : <FailedCard onRetry={() => void refetch()} />
  if (data !== undefined && choice.engine === 'widget')
    return <WidgetStage instrument={instrument} config={data} choice={choice} offlineChoice={props.offlineChoice} onStage={onStage} />
  if (data !== undefined && choice.engine === 'none') return <NoChartCard instrument={instrument} config={data} isAdmin={props.isAdmin} />
  return (
    <NativeStage
      instrument={instrument}
      timeframe={timeframe}
      isPremium={isPremium}
      isKnown={data !== undefined}
      isAdmin={props.isAdmin}
      onStage={onStage}
      toolSlot={toolSlot}
      toolRail={props.toolRail}
      lockedCard={locked}
    />
  )
}
