// The workspace and the drawings of seeded users.
import { dayMs } from '#shared/base/durations.ts'
import type { Drawing } from '#shared/drawings/drawing.ts'
import { noWorkspace, type Workspace } from '#shared/workspace/workspace.ts'
import type { Screen } from '#shared/workspace/screen.ts'

const fourCharts: Screen = {
  grid: 4,
  areSymbolsLinked: false,
  areTimeframesLinked: true,
  areCrosshairsLinked: true,
  active: 0,
  charts: ['nifty', 'banknifty', 'btc-usd', 'eur-usd'].map((slug) => ({ slug, timeframe: '5' as const })),
}

export const seedWorkspace: Workspace = {
  ...noWorkspace,
  last: { slug: 'nifty', timeframe: '5' },
  favourites: ['nifty', 'banknifty', 'reliance', 'btc-usd', 'eur-usd'],
  studies: ['rsi', 'ema'],
  alarm: { isOn: true, secondsBefore: 10, hasSound: true, hasNotification: false },
  layouts: [
    { id: 'four-markets', name: 'Four markets', ...fourCharts },
    { id: 'one-chart', name: 'NIFTY only', ...fourCharts, grid: 1, charts: [{ slug: 'nifty', timeframe: '15' }] },
  ],
  layoutId: 'four-markets',
}

/** Around the price of the demo market. */
export function seedDrawings(nowMs: number): readonly Drawing[] {
  const look = { colour: 'accent', width: 2, text: '' } as const
  return [
    { id: 'support', kind: 'horizontal', anchors: [{ timeMs: nowMs, price: 23_800 }], ...look },
    {
      id: 'trend',
      kind: 'trend',
      anchors: [
        { timeMs: nowMs - 5 * dayMs, price: 23_600 },
        { timeMs: nowMs - dayMs, price: 24_200 },
      ],
      ...look,
    },
    { id: 'note', kind: 'text', anchors: [{ timeMs: nowMs - 2 * dayMs, price: 24_300 }], ...look, text: 'Watch this level' },
  ]
}
