// Number input of a study: typed, or changed by its step with arrow keys and buttons; invalid values show an error and are not applied.
import { useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import { readNumberInput, stepNumberInput, type NumberInput } from '#shared/indicators/lib/study-input.ts'
import { studyPanelText as text } from '#shared/indicators/text/en-panel.ts'
import { cn } from '#web/lib/cn.ts'
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
  const { typed, isWrong, type } = useTypedNumber({ input, value, onChange })
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
        className={cn(
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
        <StepButton label={text.less(input.label)} isDisabled={value <= input.min} onPress={() => step(-1)}>
          <MinusIcon {...icon} />
        </StepButton>
        <StepButton label={text.more(input.label)} isDisabled={value >= input.max} onPress={() => step(1)}>
          <PlusIcon {...icon} />
        </StepButton>
      </div>
      {isWrong && (
        <p id={`${id}-error`} className="pt-1 text-12 text-danger">
          {text.numberIssue(plain(input.min), plain(input.max), input.isInteger)}
        </p>
      )}
    </div>
  )
}

/** The text in the field, which is applied as soon as it is a valid number. */
function useTypedNumber({ input, value, onChange }: NumberInputFieldProps) {
  const [typed, setTyped] = useState(String(value))
  const [known, setKnown] = useState(value)
  // The value was reset or changed on another device: discard the typed text.
  if (value !== known) {
    setKnown(value)
    if (readNumberInput(input, typed) !== value) setTyped(String(value))
  }
  const type = (next: string) => {
    setTyped(next)
    const read = readNumberInput(input, next)
    if (read !== undefined && read !== value) onChange(read)
  }
  return { typed, isWrong: readNumberInput(input, typed) === undefined, type }
}

interface StepButtonProps {
  readonly label: string
  readonly isDisabled: boolean
  readonly onPress: () => void
  readonly children: ReactNode
}

function StepButton({ label, isDisabled, onPress, children }: StepButtonProps) {
  return (
    <button type="button" aria-label={label} aria-disabled={isDisabled} onClick={onPress} className={stepClass}>
      {children}
    </button>
  )
}

/** Without scientific notation. */
function plain(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 8 })
}
