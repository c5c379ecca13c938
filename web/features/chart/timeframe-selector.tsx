// The timeframes as one row of radio buttons; arrow keys move through them.
import { useState } from 'react'
import { timeframeLabel, timeframes, type Timeframe } from '#shared/candles/timeframe.ts'
import { marketText } from '#shared/chart/text/en-shell.ts'
import { chartNoteId } from './chart-bar.tsx'
import type { Place } from './use-chart-route.ts'

export function TimeframeSelector({ place }: { readonly place: Place }) {
  const { shown, limit, isOffered, choose } = place
  // The address changes with a delay; the button must not jump back in between.
  const [pressed, setPressed] = useState<{ readonly from: Timeframe; readonly to: Timeframe }>()
  if (pressed !== undefined && pressed.from !== shown) setPressed(undefined)
  const press = (to: Timeframe) => {
    setPressed({ from: shown, to })
    choose(to)
  }
  return (
    <fieldset className="flex h-full min-w-0" aria-describedby={limit === undefined ? undefined : chartNoteId}>
      <legend className="sr-only">{marketText.timeframe}</legend>
      {timeframes.map((code) => (
        <label key={code} className="relative flex h-full min-w-9 flex-1">
          <input
            type="radio"
            name="timeframe"
            value={code}
            checked={(pressed?.to ?? shown) === code}
            disabled={!isOffered(code)}
            onChange={() => press(code)}
            className="peer absolute inset-0 size-full cursor-pointer opacity-0 disabled:cursor-not-allowed"
          />
          <span className="m-auto grid h-5.5 w-full place-items-center rounded-control px-1.5 text-12 text-text-2 tabular-nums transition-colors peer-checked:bg-hover peer-checked:font-semibold peer-checked:text-text peer-hover:text-text peer-focus-visible:outline-2 peer-focus-visible:outline-focus peer-disabled:text-text-3 peer-disabled:opacity-60 pointer-coarse:h-9">
            {timeframeLabel(code)}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
