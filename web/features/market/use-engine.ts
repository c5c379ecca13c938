// Which engine shows an instrument in this browser: what the person prefers, and where the widget has given up.
import { useCallback, useSyncExternalStore } from 'react'
import { chooseEngine, enginePreferences, type Engine, type EnginePreference } from '#shared/market/engine-choice.ts'
import type { Instrument } from '#shared/market/instruments.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import { chartChoices } from '#web/lib/storage.ts'
import { useCell } from './cell-context.ts'

const name = 'engine'
/** Until the page is loaded anew, or the person asks for the widget again. */
let givenUp: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

export function useEnginePreference(): EnginePreference {
  const kept = useSyncExternalStore(chartChoices.onChange, preference)
  return useCell()?.engine ?? kept
}

function preference(): EnginePreference {
  const kept = chartChoices.get(name)
  return enginePreferences.find((known) => known === kept) ?? 'automatic'
}

/** Keeps the wish; whoever chooses anew gives the widget another chance. */
export function usePreferEngine(): (next: EnginePreference) => void {
  const cell = useCell()
  return (next) => {
    setGivenUp(new Set())
    if (cell === undefined) chartChoices.set(name, next)
    else cell.choose({ engine: next })
  }
}

/** The widget did not answer for this instrument, or had nothing: automatic takes our own chart. */
export function giveUpWidget(slug: string): void {
  setGivenUp(new Set([...givenUp, slug]))
}

export function retryWidget(slug: string): void {
  setGivenUp(new Set([...givenUp].filter((other) => other !== slug)))
}

export function useHasGivenUp(slug: string): boolean {
  return useSyncExternalStore(onGivenUp, readGivenUp).has(slug)
}

/** The engine for each timeframe of an instrument; without one that of the widget. */
export function useEngineFor(instrument: Instrument | undefined): (timeframe: Timeframe) => Engine {
  const wished = useEnginePreference()
  const hasGivenUp = useHasGivenUp(instrument?.slug ?? '')
  return useCallback(
    (timeframe) => (instrument === undefined ? 'widget' : chooseEngine(instrument, { preference: wished, timeframe, hasGivenUp })),
    [instrument, wished, hasGivenUp],
  )
}

function setGivenUp(next: ReadonlySet<string>): void {
  givenUp = next
  for (const listener of listeners) listener()
}

function onGivenUp(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function readGivenUp(): ReadonlySet<string> {
  return givenUp
}
