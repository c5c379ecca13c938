// Options of the Tezi chart (price scale, colours, adjusted prices, session breaks) in a light-dismiss popover.
import { useId, useRef, type ToggleEvent } from 'react'
import { adjustments } from '#shared/candles/corporate-actions.ts'
import { chartText } from '#shared/text/en/chart.ts'
import { OptionsIcon } from '#web/ui/icon.ts'
import { candleColours, priceScales, type ChartOptions } from './chart-options.ts'
import { toolClass } from './tool-class.ts'
import { useChooseOptions } from './use-chart-options.ts'

const gapPx = 6
const edgePx = 8

export function OptionsPopover({ options }: { readonly options: ChartOptions }) {
  const id = useId()
  const chooseOptions = useChooseOptions()
  const button = useRef<HTMLButtonElement>(null)
  const onToggle = (event: ToggleEvent<HTMLDivElement>) => {
    if (event.newState === 'open' && button.current !== null) place(event.currentTarget, button.current.getBoundingClientRect())
  }
  return (
    <>
      <button ref={button} type="button" popoverTarget={id} aria-label={chartText.options} title={chartText.options} className={toolClass}>
        <OptionsIcon aria-hidden className="size-4" strokeWidth={1.5} />
      </button>
      <div
        id={id}
        popover="auto"
        onToggle={onToggle}
        className="inset-auto m-0 w-72 max-w-[calc(100vw-1rem)] rounded-panel border border-line-strong bg-raised p-3 text-12 text-text"
      >
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
      </div>
    </>
  )
}

interface ChoiceProps<V extends string> {
  readonly name: string
  readonly legend: string
  readonly value: V
  readonly choices: readonly { readonly value: V; readonly label: string }[]
  readonly onChoose: (value: V) => void
}

function Choice<V extends string>({ name, legend, value, choices, onChoose }: ChoiceProps<V>) {
  return (
    <fieldset>
      <legend className="mb-1 text-11 text-text-2">{legend}</legend>
      <div className="flex rounded-control border border-line-strong p-0.5">
        {choices.map((choice) => (
          <label key={choice.value} className="relative flex-1">
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChoose(choice.value)}
              className="peer absolute inset-0 size-full cursor-pointer opacity-0"
            />
            <span className="grid h-6 place-items-center rounded-control px-1 whitespace-nowrap text-text-2 transition-colors peer-checked:bg-hover peer-checked:font-medium peer-checked:text-text peer-focus-visible:outline-2 peer-focus-visible:outline-focus pointer-coarse:h-10">
              {choice.label}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Below the button, never beyond the edge of the window. */
function place(element: HTMLElement, button: DOMRect): void {
  const left = Math.max(edgePx, Math.min(button.right - element.offsetWidth, window.innerWidth - element.offsetWidth - edgePx))
  element.style.left = `${left}px`
  element.style.top = `${button.bottom + gapPx}px`
}
