// Radio buttons side by side, for a popover of options.
export interface ChoiceProps<V extends string> {
  readonly name: string
  readonly legend: string
  readonly value: V
  readonly choices: readonly { readonly value: V; readonly label: string }[]
  readonly onChoose: (value: V) => void
}

export function Choice<V extends string>({ name, legend, value, choices, onChoose }: ChoiceProps<V>) {
  return (
    <fieldset>
      <legend className="mb-1 text-11 text-text-2">{legend}</legend>
      <div className="flex flex-wrap rounded-control border border-line-strong p-0.5">
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
