// Corner of the two axes: names the time zone, and opens the settings of the price scale.
import { useId, useState } from 'react'
import { zoneName } from '#shared/base/clock-texts.ts'
import { chartText } from '#shared/chart/text/en.ts'
import { priceScales, type PriceScale } from './chart-options.ts'
import type { NativeChart } from './chart-port.ts'
import { Choice } from './choice.tsx'
import { ToolPopover } from './tool-popover.tsx'
import { useChooseOptions } from './use-chart-options.ts'

export interface AxisMenuProps {
  readonly chart: Pick<NativeChart, 'isAutoScaled' | 'setAutoScaled'>
  readonly scale: PriceScale
  /** IANA zone of the time axis. */
  readonly zone: string
}

export function AxisMenu({ chart, scale, zone }: AxisMenuProps) {
  const id = useId()
  const chooseOptions = useChooseOptions()
  const [isAuto, setIsAuto] = useState(true)
  const [nowMs] = useState(() => Date.now())
  const name = zoneName(zone, nowMs)
  return (
    <div className="absolute right-0 bottom-0 z-10 flex h-7 w-16 items-stretch in-data-idle:pointer-events-none">
      <ToolPopover
        label={chartText.axes(name)}
        className="w-full rounded-control text-11 whitespace-nowrap text-text-2 tabular-nums hover:bg-hover hover:text-text"
        button={scale === 'linear' ? name : `${name} ${chartText.scaleSigns[scale]}`}
        onOpen={() => setIsAuto(chart.isAutoScaled())}
      >
        <div className="grid gap-3">
          <Choice
            name={`${id}-scale`}
            legend={chartText.scale}
            value={scale}
            choices={priceScales.map((value) => ({ value, label: chartText.scales[value] }))}
            onChoose={(next) => chooseOptions({ scale: next })}
          />
          <label className="flex cursor-pointer items-center gap-2 pointer-coarse:min-h-11">
            <input
              type="checkbox"
              checked={isAuto}
              onChange={({ target }) => {
                chart.setAutoScaled(target.checked)
                setIsAuto(target.checked)
              }}
              className="size-4 accent-accent-solid"
            />
            {chartText.autoScale}
          </label>
          <p className="text-11 text-pretty text-text-2">{chartText.zoneNote(zone.replace('Calcutta', 'Kolkata'), name)}</p>
        </div>
      </ToolPopover>
    </div>
  )
}
