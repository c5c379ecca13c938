// Back right after following a link restores the chart that the link changed.
import { useLayoutEffect } from 'react'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { expect, test } from 'vitest'
import type { Screen } from '#shared/workspace/screen.ts'
import { keepTabScreen } from '#web/lib/preferences.ts'
import { eventually } from '#web/testing/eventually.ts'
import { renderBare } from '#web/testing/render.tsx'
import { useChartGrid } from './use-chart-grid.ts'

const screen: Screen = {
  grid: 2,
  areSymbolsLinked: false,
  areTimeframesLinked: false,
  areCrosshairsLinked: true,
  active: 1,
  charts: [
    { slug: 'banknifty', timeframe: '1' },
    { slug: 'nifty', timeframe: '1' },
  ],
}

test('Back at the moment when a link has changed the active chart undoes that change', async () => {
  keepTabScreen('u1', screen)
  const shown: string[] = []
  function Grid() {
    const { charts } = useChartGrid('u1', true).screen
    const now = charts.map(({ slug }) => slug).join()
    useLayoutEffect(() => {
      shown.push(now)
      if (now === 'banknifty,sensex' && !shown.includes('back')) {
        shown.push('back')
        void router.navigate(-1)
      }
    }, [now])
    return <p>{now}</p>
  }
  const router = createMemoryRouter([{ path: '/*', element: <Grid /> }], { initialEntries: [{ pathname: '/', state: { cell: 1 } }] })
  renderBare(<RouterProvider router={router} />)
  await router.navigate('/sensex')
  await eventually(() => expect(shown).toContain('back'))
  await eventually(() => expect(router.state.location.pathname).toBe('/'))
  await eventually(() => expect(shown.at(-1)).toBe('banknifty,nifty'))
})
