// A number of a study: typed, or moved by its step with the arrow keys and the two buttons; what is none is said and not taken.
import { useId, useState, type KeyboardEvent } from 'react'
import { readNumberInput, stepNumberInput } from '#shared/market/indicators/input-values.ts'
import type { NumberInput } from '#shared/market/indicators/inputs.ts'
import { studyPanelText as text } from '#shared/text/en/study-panel.ts'
import { classes } from '#web/lib/classes.ts'
import { MinusIcon, PlusIcon } from '#web/ui/icon.ts'

export interface NumberInputFieldProps {
  readonly input: NumberInput
  readonly value: number
  readonly onChange: (value: number) => void
}

const icon = { 'aria-hidden': true, className: 'size-3.5', strokeWidth: 1.75 } as const
const stepClass =
  'grid size-8 shrink-0 place-items-center rounded-control text-text-2 hover:bg-hover hover:text-text aria-disabled:opacity-50 pointer-coarse:size-11'

export function NumberInputField({ input, value, onChange }: NumberInputFieldProps) {
  const id = useId()
  const [typed, setTyped] = useState(String(value))
  const [known, setKnown] = useState(value)
  // Reset here, or changed on another device: what was typed for the value before is void.
  if (value !== known) {
    setKnown(value)
    if (readNumberInput(input, typed) !== value) setTyped(String(value))
  }
  const isWrong = readNumberInput(input, typed) === undefined
  const type = (next: string) => {
    setTyped(next)
    const read = readNumberInput(input, next)
    if (read !== undefined && read !== value) onChange(read)
  }
  const step = (direction: 1 | -1) => type(String(stepNumberInput(input, value, direction)))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    step(event.key === 'ArrowUp' ? 1 : -1)
  }
  return (
    <div>
      <label htmlFor={id} className="block pb-1 text-12 text-text-2">
        {input.label}
      </label>
      <div
        className={classes(
          'flex items-center rounded-control border bg-canvas focus-within:border-focus hover:border-text-3',
          isWrong ? 'border-danger' : 'border-line-strong',
        )}
      >
        <input
          id={id}
          role="spinbutton"
          inputMode={input.isInteger ? 'numeric' : 'decimal'}
          autoComplete="off"
          value={typed}
          aria-valuenow={value}
          aria-valuemin={input.min}
          aria-valuemax={input.max}
          aria-invalid={isWrong}
          aria-describedby={isWrong ? `${id}-error` : undefined}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKeyDown}
          className="h-8 min-w-0 flex-1 rounded-control bg-transparent px-2.5 text-13 tabular-nums text-text focus-visible:outline-offset-0 pointer-coarse:h-11 pointer-coarse:text-16"
        />
        <button
          type="button"
          aria-label={text.less(input.label)}
          aria-disabled={value <= input.min}
          onClick={() => step(-1)}
          className={stepClass}
        >
          <MinusIcon {...icon} />
        </button>
        <button
          type="button"
          aria-label={text.more(input.label)}
          aria-disabled={value >= input.max}
          onClick={() => step(1)}
          className={stepClass}
        >
          <PlusIcon {...icon} />
        </button>
      </div>
      {isWrong && (
        <p id={`${id}-error`} className="pt-1 text-12 text-danger">
          {text.numberFault(plain(input.min), plain(input.max), input.isInteger)}
        </p>
      )}
    </div>
  )
}

/** Never in powers of ten. */
function plain(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 8 })
}
