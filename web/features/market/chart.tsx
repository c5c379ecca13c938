// The chart of one instrument by the engine that shows it, or why there is nothing to draw.
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ChartChoice } from '#shared/market/engine-choice.ts'
import type { Instrument } from '#shared/market/instruments.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import { refusalOf } from '#web/lib/failure.ts'
import { fetched } from '#web/ui/fetched.tsx'
import { chartQuery } from './api.ts'
import { ChunkFailedCard, FailedCard, HiddenCard, NoChartCard } from './chart-cards.tsx'
import { LoadingOverlay, type Stage } from './chart-stage.tsx'
import { LockedCard } from './locked-card.tsx'
import type { NativeStageProps } from './native/native-stage.tsx'
import { WidgetStage } from './widget-stage.tsx'

const NativeStage = fetched<NativeStageProps>(
  () =>
    import('./native/native-stage.tsx').then(
      ({ NativeStage }) => NativeStage,
      () => ChunkFailedCard,
    ),
  <LoadingOverlay />,
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
  /** Address of the chart that is free. */
  readonly freeChart: string
  /** Where the tools of our own chart go. */
  readonly toolSlot: HTMLElement | null
}

export function Chart(props: ChartProps) {
  const locked = <LockedCard onWantPremium={props.onWantPremium} freeChart={props.freeChart} />
  return !props.instrument.isFree && !props.isPremium ? locked : <ListedChart {...props} locked={locked} />
}

function ListedChart({ locked, ...props }: ChartProps & { readonly locked: React.ReactElement }) {
  const { instrument, timeframe, choice, isPremium, onStage, toolSlot } = props
  const { data, error, refetch } = useQuery(chartQuery(instrument.slug, isPremium))
  const refusal = refusalOf(error)
  const pending = data !== undefined ? undefined : error === null ? 'loading' : 'unreachable'
  // Until its frame is there, the stage would still be that of the chart before.
  useEffect(() => {
    if (pending !== undefined) onStage(pending)
  }, [pending, onStage])
  if (refusal?.code === 'premium-required') return locked
  if (refusal?.status === 404) return <HiddenCard freeChart={props.freeChart} />
  if (data === undefined) return error === null ? <LoadingOverlay /> : <FailedCard onRetry={() => void refetch()} />
  if (choice.engine === 'widget')
    return <WidgetStage instrument={instrument} config={data} choice={choice} offlineChoice={props.offlineChoice} onStage={onStage} />
  if (choice.engine === 'none') return <NoChartCard instrument={instrument} config={data} isAdmin={props.isAdmin} />
  return (
    <NativeStage
      key={`${instrument.slug}:${timeframe}`}
      instrument={instrument}
      timeframe={timeframe}
      isPremium={isPremium}
      onStage={onStage}
      toolSlot={toolSlot}
      lockedCard={locked}
    />
  )
}
