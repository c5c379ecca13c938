// Switch that takes effect at once.
import { Switch as Base } from '@base-ui/react/switch'

export interface SwitchProps {
  readonly id: string
  readonly isOn: boolean
  readonly isReady?: boolean
  readonly onChange: (isOn: boolean) => void
  /** Id of the element with its label. */
  readonly labelledBy: string
  readonly describedBy: string
}

export function Switch({ id, isOn, isReady = true, onChange, labelledBy, describedBy }: SwitchProps) {
  return (
    <Base.Root
      id={id}
      checked={isOn}
      disabled={!isReady}
      onCheckedChange={onChange}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      className="relative h-5 w-9 shrink-0 rounded-full border border-line-strong bg-hover transition-colors data-checked:border-accent-solid data-checked:bg-accent-solid data-disabled:opacity-60"
    >
      <Base.Thumb className="absolute top-0.5 left-0.5 size-3.5 rounded-full bg-text-2 transition-transform data-checked:translate-x-4 data-checked:bg-white" />
    </Base.Root>
  )
}
