// Makes the controls of a row one tab stop: arrow keys, Home and End move the focus between them.
import { useLayoutEffect, type FocusEvent, type KeyboardEvent, type RefObject } from 'react'

interface RovingFocus {
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onFocus: (event: FocusEvent) => void
}

/** The tab stop is the control that had the focus, else the one of the current page. Spread the result on the row. */
export function useRovingFocus(row: RefObject<HTMLElement | null>): RovingFocus {
  // Also after a change of the controls, which keep no tab index of their own.
  useLayoutEffect(() => {
    const controls = controlsOf(row.current)
    setStop(
      controls,
      controls.find((control) => control === document.activeElement) ??
        controls.find((control) => control.getAttribute('aria-current') === 'page'),
    )
  })
  return {
    onKeyDown: (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const controls = controlsOf(row.current).filter((control) => !control.matches(':disabled'))
      const next = roved(event.key, controls.indexOf(event.target as HTMLElement), controls.length)
      if (next === undefined) return
      event.preventDefault()
      controls[next]?.focus()
    },
    onFocus: ({ target }) => setStop(controlsOf(row.current), target as HTMLElement),
  }
}

function controlsOf(row: HTMLElement | null): HTMLElement[] {
  return [...(row?.querySelectorAll<HTMLElement>('a, button') ?? [])]
}

function setStop(controls: readonly HTMLElement[], stop: HTMLElement | undefined): void {
  const chosen = stop ?? controls.find((control) => !control.matches(':disabled'))
  for (const control of controls) control.tabIndex = control === chosen ? 0 : -1
}

/** Index after a navigation key; undefined for other keys. */
function roved(key: string, current: number, count: number): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  if (key === 'ArrowRight') return (current + 1) % count
  if (key === 'ArrowLeft') return (current + count - 1) % count
  return undefined
}
