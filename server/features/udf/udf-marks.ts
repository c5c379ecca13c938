// Corporate actions and holidays as UDF marks.
import { dayMs } from '#shared/base/durations.ts'
import { isAdjustedFor } from '#shared/candles/price-adjuster.ts'
import { corporateActionsOf, type Adjustment, type CorporateAction } from '#shared/candles/corporate-actions.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import { calendarOf } from '#shared/trading-hours/calendar.ts'
import { dateOf } from '#shared/trading-hours/day.ts'
import { udfText } from '#shared/text/en/udf.ts'
import type { UdfMarks, UdfTimescaleMark } from '#shared/udf/contract.ts'

export interface MarksWanted {
  /** Epoch seconds; both ends are inclusive. */
  readonly from: number
  readonly to: number
  /** Whether the chart's bars are shorter than a day. */
  readonly isIntraday: boolean
  /** Corporate actions that earlier bars are adjusted for. */
  readonly adjustment: Adjustment
}

const actionColor = 'blue'
const holidayColor = 'grey'
/** Maximum number of days searched for holidays. */
const daysMax = 3_700

/** Splits and the like on their bars: the session's first bar, or the day's. */
export function marksOf(instrument: Instrument, wanted: MarksWanted): UdfMarks {
  const actions = actionsWithin(instrument, wanted)
  return {
    id: actions.map(({ id }) => id),
    time: actions.map(({ time }) => time),
    color: actions.map(() => actionColor),
    text: actions.map(({ action }) => [`${udfText.actions[action.kind]}: ${action.note}`, ...adjustedNote(action, wanted)].join(' ')),
    label: actions.map(({ action }) => udfText.actionLetters[action.kind]),
    labelFontColor: actions.map(() => 'white'),
    minSize: actions.map(() => 16),
  }
}

/** The same on the time scale, plus the days on which the exchange is closed. */
export function timescaleMarksOf(instrument: Instrument, wanted: MarksWanted): UdfTimescaleMark[] {
  const actions = actionsWithin(instrument, wanted).map(({ id, time, action }) => ({
    id,
    time,
    color: actionColor,
    label: udfText.actionLetters[action.kind],
    tooltip: [udfText.actions[action.kind], action.note, ...adjustedNote(action, wanted)],
  }))
  return [...actions, ...holidaysWithin(instrument, wanted)].toSorted((one, other) => one.time - other.time)
}

function actionsWithin(instrument: Instrument, { from, to, isIntraday }: MarksWanted) {
  return corporateActionsOf(instrument.series)
    .map((action) => ({
      action,
      id: `${action.kind}-${action.exDate}`,
      time: (isIntraday ? openOf(instrument, action.exDate) : undefined) ?? Date.parse(action.exDate) / 1_000,
    }))
    .filter(({ time }) => time >= from && time <= to)
}

function adjustedNote(action: CorporateAction, { adjustment }: MarksWanted): string[] {
  return isAdjustedFor(action, adjustment) ? [udfText.earlierAdjusted] : []
}

function openOf(instrument: Instrument, date: string): number | undefined {
  const openMs = calendarOf(instrument.sessionClass).sessionOn(date)?.openMs
  return openMs === undefined ? undefined : openMs / 1_000
}

function holidaysWithin(instrument: Instrument, { from, to }: MarksWanted): UdfTimescaleMark[] {
  const calendar = calendarOf(instrument.sessionClass)
  const found: UdfTimescaleMark[] = []
  const lastDay = Math.floor((to * 1_000) / dayMs)
  const firstDay = Math.max(Math.ceil((from * 1_000) / dayMs), lastDay - daysMax)
  for (let day = firstDay; day <= lastDay; day += 1) {
    const date = dateOf(day)
    const holiday = calendar.sessionOn(date) === null ? calendar.holidayOn(date) : null
    if (holiday === null) continue
    const tooltip = [udfText.holiday, holiday]
    found.push({ id: `holiday-${date}`, time: (day * dayMs) / 1_000, color: holidayColor, label: udfText.holidayLetter, tooltip })
  }
  return found
}
