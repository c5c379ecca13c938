// Native select for the chart toolbar: works with every keyboard and touch screen.
// Its option list is styled where the browser supports it.
import { ChevronDownIcon } from '#web/ui/icon.ts'

export interface BarSelectProps<V extends string> {
  readonly label: string
  readonly title?: string
  readonly value: V
  readonly options: readonly { readonly value: V; readonly label: string }[]
  readonly onChoose: (value: V) => void
}

export function BarSelect<V extends string>({ label, title, value, options, onChoose }: BarSelectProps<V>) {
  return (
    <span className="relative inline-flex items-center">
      <select
        aria-label={label}
        title={title}
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value)
          if (chosen !== undefined) onChoose(chosen.value)
        }}
        className="bar-select field-sizing-content h-7 cursor-pointer rounded-control bg-transparent pr-6 pl-2 text-12 text-text-2 transition-colors hover:bg-hover hover:text-text pointer-coarse:h-11"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} className="bg-raised text-text">
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDownIcon aria-hidden className="pointer-events-none absolute right-1.5 size-3.5 text-text-3" strokeWidth={1.5} />
    </span>
  )
}
