// Tooltip on hover and keyboard focus, exposed to screen readers as the description of its trigger.
import { cloneElement, useEffect, useId, useRef, useState, type FocusEvent, type PointerEvent, type ReactElement } from 'react'

const openMs = 400
/** Long enough to move the pointer onto the tooltip. */
const closeMs = 120
const gapPx = 6
const edgePx = 8

export interface TooltipProps {
  readonly text: string
  /** One focusable element, for example a button or a link, without hover or focus handlers of its own. */
  readonly children: ReactElement<Record<string, unknown>>
}

/** Rendered in the top layer, so that nothing clips it; Escape closes it. Custom, because a library's tooltip is 30 kB. */
export function Tooltip({ text, children }: TooltipProps) {
  const id = useId()
  const bubble = useRef<HTMLSpanElement>(null)
  const [trigger, setTrigger] = useState<Element>()
  const [next, setNext] = useState<{ readonly trigger: Element | undefined; readonly afterMs: number }>()

  const turn = (to: Element | undefined, afterMs: number) => setNext({ trigger: to, afterMs })
  useEffect(() => {
    const timer = setTimeout(() => setTrigger(next?.trigger), next?.afterMs)
    return () => clearTimeout(timer)
  }, [next])
  useEffect(() => {
    const element = bubble.current
    if (trigger === undefined || element === null) return undefined
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setTrigger(undefined)
    }
    element.showPopover()
    place(element, trigger.getBoundingClientRect())
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('keydown', onKey)
      if (element.isConnected) element.hidePopover()
    }
  }, [trigger])

  const hoverable = {
    // Touch has no hover; a tapped element explains itself.
    onPointerEnter: (event: PointerEvent) => (event.pointerType === 'touch' ? undefined : turn(trigger ?? event.currentTarget, openMs)),
    onPointerLeave: () => turn(undefined, closeMs),
  }
  return (
    <>
      {cloneElement(children, {
        'aria-describedby': id,
        ...hoverable,
        onFocus: (event: FocusEvent) => (event.currentTarget.matches(':focus-visible') ? turn(event.currentTarget, openMs) : undefined),
        onBlur: () => turn(undefined, 0),
      })}
      <span
        ref={bubble}
        id={id}
        role="tooltip"
        popover="manual"
        {...hoverable}
        className="inset-auto m-0 max-w-64 rounded-control border border-line-strong bg-raised px-2 py-1 text-12 text-text"
      >
        {text}
      </span>
    </>
  )
}

/** Below the trigger if there is space, else above; never beyond the edge of the window. */
function place(element: HTMLElement, trigger: DOMRect): void {
  const { width, height } = element.getBoundingClientRect()
  const left = trigger.left + trigger.width / 2 - width / 2
  const below = trigger.bottom + gapPx
  element.style.left = `${Math.max(edgePx, Math.min(left, window.innerWidth - width - edgePx))}px`
  element.style.top = `${below + height > window.innerHeight ? trigger.top - gapPx - height : below}px`
}
