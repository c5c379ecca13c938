// A hint on hover and on keyboard focus, which screen readers read as the description of its trigger.
import { Tooltip as Base } from '@base-ui/react/tooltip'
import { cloneElement, useId, type ReactElement } from 'react'

export interface TooltipProps {
  readonly text: string
  /** One focusable element, such as a button or a link. */
  readonly children: ReactElement<Record<string, unknown>>
  readonly side?: 'top' | 'right' | 'bottom' | 'left'
  /** False where the trigger's own label already says the text. */
  readonly isDescription?: boolean
}

/** Opens after 400 ms; the text is also in the page for those who cannot see it. */
export function Tooltip({ text, children, side = 'bottom', isDescription = true }: TooltipProps) {
  const id = useId()
  const trigger = isDescription ? cloneElement(children, { 'aria-describedby': id }) : children
  return (
    <Base.Root>
      <Base.Trigger render={trigger} delay={400} />
      {isDescription && (
        <span id={id} hidden>
          {text}
        </span>
      )}
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} collisionPadding={8} className="z-50">
          <Base.Popup className="max-w-64 rounded-control border border-line-strong bg-raised px-2 py-1 text-12 text-text transition-opacity duration-120 ease-out data-ending-style:opacity-0 data-starting-style:opacity-0">
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
