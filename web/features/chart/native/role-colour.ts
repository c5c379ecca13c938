// Chart colour of a study's role.
import type { ColourRole } from '#shared/indicators/lib/plot.ts'
import type { StudyId } from '#shared/indicators/lib/study-ids.ts'
import type { ChartColours } from './chart-colours.ts'

/** Line colours differ from all candle and status colours. */
const lines = { first: '#e2b8f5', second: '#8fb8ff', third: '#f2d58a', fourth: '#dfe6ee' } as const

/** Averages overlap on the price pane, so each needs a colour of its own. */
const own: Readonly<Partial<Record<StudyId, string>>> = { ema: lines.third, vwap: lines.fourth, bollinger: lines.second }

/** The study's own colour comes first, if it has one. */
export function studyColour(colours: ChartColours, id: StudyId, role: ColourRole): string {
  return (role === 'line-1' ? own[id] : undefined) ?? roleColour(colours, role)
}

export function roleColour(colours: ChartColours, role: ColourRole): string {
  const byRole: Readonly<Record<ColourRole, string>> = {
    'line-1': lines.first,
    'line-2': lines.second,
    'line-3': lines.third,
    bull: colours.up,
    bear: colours.down,
    neutral: colours.text3,
    band: lines.second,
    guide: colours.lineStrong,
    pivot: lines.third,
    resistance: colours.down,
    support: colours.up,
    'zig-zag': lines.first,
  }
  return byRole[role]
}
