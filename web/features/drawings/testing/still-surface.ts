// A chart for component tests of drawings: one bar a minute, nothing painted.
import { plainMapping } from '#shared/drawings/testing/random-drawings.ts'
import type { DrawingSurface } from '../drawing-surface.ts'

export function stillSurface(): DrawingSurface {
  return {
    host: document.createElement('div'),
    mapping: () => plainMapping,
    barAt: () => undefined,
    indexOf: (timeMs) => timeMs / 60_000,
    timeOf: (index) => index * 60_000,
    addLayer: () => ({ repaint: () => undefined, remove: () => undefined }),
  }
}
