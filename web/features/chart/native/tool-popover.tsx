// Button with a light-dismiss popover, beside it within the window.
import { useId, useRef, type ReactNode, type ToggleEvent } from 'react'

const gapPx = 6
const edgePx = 8

export interface ToolPopoverProps {
  readonly label: string
  readonly className: string
  /** Content of the button. */
  readonly button: ReactNode
  readonly onOpen?: () => void
  readonly children: ReactNode
}

export function ToolPopover({ label, className, button, onOpen, children }: ToolPopoverProps) {
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const onToggle = (event: ToggleEvent<HTMLDivElement>) => {
    if (event.newState !== 'open' || opener.current === null) return
    onOpen?.()
    place(event.currentTarget, opener.current.getBoundingClientRect())
  }
  return (
    <>
      <button ref={opener} type="button" popoverTarget={id} aria-label={label} title={label} className={className}>
        {button}
      </button>
      <div
        id={id}
        popover="auto"
        onToggle={onToggle}
        className="inset-auto m-0 w-72 overflow-y-auto pointer-coarse:w-80 max-w-[calc(100vw-1rem)] rounded-panel border border-line-strong bg-raised p-3 text-12 text-text"
      >
        {children}
      </div>
    </>
  )
}

/** Below the button, above it where there is no room; never beyond the edge of the window, also when its content grows. */
function place(element: HTMLElement, button: DOMRect): void {
  const left = Math.max(edgePx, Math.min(button.right - element.offsetWidth, window.innerWidth - element.offsetWidth - edgePx))
  const [below, above] = [window.innerHeight - button.bottom - gapPx - edgePx, button.top - gapPx - edgePx]
  const isBelow = element.offsetHeight <= below || below >= above
  element.style.left = `${left}px`
  element.style.top = isBelow ? `${button.bottom + gapPx}px` : 'auto'
  element.style.bottom = isBelow ? 'auto' : `${window.innerHeight - button.top + gapPx}px`
  element.style.maxHeight = `${isBelow ? below : above}px`
}
