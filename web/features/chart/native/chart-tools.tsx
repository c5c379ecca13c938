// Tools of the Tezi chart in the toolbar: style, options, table, image and full screen.
import { useSyncExternalStore, type ComponentProps, type RefObject } from 'react'
import { stepMinutesOf } from '#shared/candles/timeframe.ts'
import { chartText } from '#shared/chart/text/en.ts'
import { studyPanelText } from '#shared/indicators/text/en-panel.ts'
import { CameraIcon, ChartLineIcon, MaximizeIcon, MinimizeIcon, TableIcon } from '#web/ui/icon.ts'
import { BarSelect } from '../bar-select.tsx'
import { candleStyles, type ChartOptions } from './chart-options.ts'
import type { NativeChart } from './chart-port.ts'
import { GoToDate } from './go-to-date.tsx'
import { OptionsPopover } from './options-popover.tsx'
import type { PictureTexts } from './picture-lines.ts'
import { toolClass } from './tool-class.ts'
import { useChooseOptions } from './use-chart-options.ts'

export interface ChartToolsProps {
  readonly chart: NativeChart
  readonly options: ChartOptions
  readonly isTable: boolean
  readonly onTable: () => void
  /** Element of the chart; its main area goes full screen. */
  readonly area: RefObject<HTMLElement | null>
  readonly picture: Omit<PictureTexts, 'frame'>
  /** Undefined for free users. */
  readonly studies: { readonly isOpen: boolean; readonly toggle: () => void } | undefined
}

const icon = { 'aria-hidden': true, className: 'size-4', strokeWidth: 1.5 } as const

export function ChartTools({ chart, options, isTable, onTable, area, picture, studies }: ChartToolsProps) {
  const chooseOptions = useChooseOptions()
  const isFull = useSyncExternalStore(onFullScreen, () => document.fullscreenElement !== null)
  const toggleFull = () => {
    if (isFull) void document.exitFullscreen()
    else void area.current?.closest('main')?.requestFullscreen()
  }
  return (
    <>
      <BarSelect
        label={chartText.style}
        value={options.style}
        options={candleStyles.map((value) => ({ value, label: chartText.styles[value] }))}
        onChoose={(style) => chooseOptions({ style })}
      />
      {studies !== undefined && (
        <Tool label={studyPanelText.studies} aria-expanded={studies.isOpen} onClick={studies.toggle}>
          <ChartLineIcon {...icon} />
        </Tool>
      )}
      <OptionsPopover options={options} />
      <GoToDate chart={chart} zone={stepMinutesOf(picture.timeframe) === undefined ? undefined : picture.zone} />
      <Tool label={chartText.table} aria-pressed={isTable} onClick={onTable}>
        <TableIcon {...icon} />
      </Tool>
      <Tool
        label={chartText.screenshot}
        onClick={() =>
          void import('./picture.ts').then(({ savePicture }) => savePicture(chart.screenshot(), { ...picture, frame: chart.frame() }))
        }
      >
        <CameraIcon {...icon} />
      </Tool>
      {document.fullscreenEnabled && (
        <Tool label={isFull ? chartText.leaveFullScreen : chartText.fullScreen} onClick={toggleFull}>
          {isFull ? <MinimizeIcon {...icon} /> : <MaximizeIcon {...icon} />}
        </Tool>
      )}
    </>
  )
}

function Tool({ label, ...rest }: ComponentProps<'button'> & { readonly label: string }) {
  return <button {...rest} type="button" aria-label={label} title={label} className={toolClass} />
}

function onFullScreen(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener)
  return () => document.removeEventListener('fullscreenchange', listener)
}
