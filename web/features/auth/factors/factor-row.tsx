// One two-factor method with its state and buttons.
import type { ReactNode } from 'react'
import { factorsText as text } from '#shared/factors/text/en.ts'
import { CheckIcon } from '#web/ui/icon.ts'

export interface FactorRowProps {
  readonly name: string
  readonly note: string
  /** Undefined for a row without a state. */
  readonly isOn?: boolean
  readonly children: ReactNode
}

export function FactorRow({ name, note, isOn, children }: FactorRowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-44 flex-1">
        <p className="flex items-center gap-1.5 text-13 font-medium">
          {isOn === true && <CheckIcon aria-hidden className="size-3.5 text-ok" strokeWidth={2} />}
          <span>{name}</span>
          {isOn === false && <span className="text-12 font-normal text-text-3">{text.off}</span>}
        </p>
        <p className="text-12 text-pretty text-text-2 tabular-nums">{note}</p>
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
    </li>
  )
}
