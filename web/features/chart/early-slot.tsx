// Place for the early chart in a screen that still loads; empty without one.
import { useLayoutEffect, useRef } from 'react'
import { showEarlyChart } from './early-chart.ts'

/** `isNameShown` where no toolbar names instrument and prices. */
export function EarlySlot({ isNameShown = false }: { readonly isNameShown?: boolean }) {
  const slot = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (slot.current !== null) showEarlyChart(slot.current, isNameShown)
  }, [isNameShown])
  return <div ref={slot} className="absolute inset-0 empty:hidden" />
}
