// Options of the Tezi chart: price scale, colours, adjusted prices, session breaks.
import { useId } from 'react'
import { adjustments } from '#shared/candles/corporate-actions.ts'
import { chartText } from '#shared/chart/text/en.ts'
import { OptionsIcon } from '#web/ui/icon.ts'
import { candleColours, priceScales, type ChartOptions } from './chart-options.ts'
import { Choice } from './choice.tsx'
import { toolClass } from './tool-class.ts'
import { ToolPopover } from './tool-popover.tsx'
import { useChooseOptions } from './use-chart-options.ts'

export function OptionsPopover({ options }: { readonly options: ChartOptions }) {
  const id = useId()
  const chooseOptions = useChooseOptions()
  return (
    <ToolPopover label={chartText.options} className={toolClass} button={<OptionsIcon aria-hidden className="size-4" strokeWidth={1.5} />}>
      <div className="grid gap-3">
        <Choice
          name={`${id}-scale`}
          legend={chartText.scale}
          value={options.scale}
          choices={priceScales.map((value) => ({ value, label: chartText.scales[value] }))}
          onChoose={(scale) => chooseOptions({ scale })}
        />
        <Choice
          name={`${id}-colours`}
          legend={chartText.colours}
          value={options.colours}
          choices={candleColours.map((value) => ({ value, label: chartText.colourNames[value] }))}
          onChoose={(colours) => chooseOptions({ colours })}
        />
        <Choice
          name={`${id}-adjustment`}
          legend={chartText.adjustment}
          value={options.adjustment}
          choices={adjustments.map((value) => ({ value, label: chartText.adjustmentNames[value] }))}
          onChoose={(adjustment) => chooseOptions({ adjustment })}
        />
        <label className="flex cursor-pointer items-center gap-2 pointer-coarse:min-h-11">
          <input
            type="checkbox"
            checked={options.hasBreaks}
            onChange={(event) => chooseOptions({ hasBreaks: event.target.checked })}
            className="size-4 accent-accent-solid"
          />
          {chartText.breaks}
        </label>
      </div>
    </ToolPopover>
  )
}
