// The drawing tools in their rail: a sign where more of them exist, and the armed tool in the cursor.
import { fireEvent } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { api } from '#shared/api.ts'
import { findInstrument } from '#shared/instruments/instruments.ts'
import { setViewport } from '#web/testing/browser-stubs.ts'
import { eventually } from '#web/testing/eventually.ts'
import { server } from '#web/testing/fake-server.ts'
import { renderUi } from '#web/testing/render.tsx'
import { ChartDrawings } from './chart-drawings.tsx'
import { stillSurface } from './testing/still-surface.ts'

afterEach(() => vi.restoreAllMocks())

const ink = () => {
  throw new Error('jsdom paints nothing')
}

function openTools() {
  server.on(api.workspace.drawings, () => ({ success: true, data: { version: 1, drawings: [] } }))
  const [surface, instrument] = [stillSurface(), findInstrument('nifty')]
  if (instrument === undefined) throw new Error('There is no NIFTY')
  function Chart() {
    const [rail, setRail] = useState<HTMLElement | null>(null)
    return (
      <>
        <div ref={setRail} />
        <ChartDrawings surface={surface} instrument={instrument as never} adjuster={undefined} ink={ink} rail={rail} />
      </>
    )
  }
  return { page: renderUi(<Chart />, { as: 'premium' }), cursor: () => surface.host.style.cursor }
}

const sign = (name: string) => document.querySelector(`[data-testid=${name}]`)

test.for([
  ['desktop', 'vertical', 'Height', 'Top'],
  ['phone', 'horizontal', 'Width', 'Left'],
] as const)('on a %s they are %s and show that there are more', async ([viewport, orientation, size, side]) => {
  setViewport(viewport)
  vi.spyOn(Element.prototype, `client${size}`, 'get').mockReturnValue(200)
  vi.spyOn(Element.prototype, `scroll${size}`, 'get').mockReturnValue(480)
  const { page } = openTools()
  const tools = await page.find('toolbar', 'Drawing tools')
  expect(tools.getAttribute('aria-orientation')).toBe(orientation)
  expect([sign('more-before'), sign('more-after')]).toEqual([null, expect.anything()])
  tools[`scroll${side}`] = 280
  fireEvent.scroll(tools)
  await eventually(() => expect([sign('more-before'), sign('more-after')]).toEqual([expect.anything(), null]))
})

test.for([
  ['desktop', 'Select and move', 'Trend line'],
  ['phone', 'Undo', 'Redo'],
] as const)('on a %s they begin with %s and %s', async ([viewport, ...first]) => {
  setViewport(viewport)
  const { page } = openTools()
  const tools = await page.find('toolbar', 'Drawing tools')
  expect([...tools.querySelectorAll('button')].slice(0, 2).map((button) => button.getAttribute('aria-label'))).toEqual(first)
})

test('the cursor over the chart shows the armed tool until it is put away', async () => {
  const { page, cursor } = openTools()
  expect(cursor()).toBe('')
  const line = await page.find('button', 'Trend line')
  fireEvent.click(line, { detail: 1 })
  await eventually(() => expect(cursor()).toContain('crosshair'))
  const armed = cursor()
  fireEvent.click(await page.find('button', 'Ray'), { detail: 1 })
  await eventually(() => expect(cursor()).not.toBe(armed))
  fireEvent.click(await page.find('button', 'Select and move'), { detail: 1 })
  await eventually(() => expect(cursor()).toBe(''))
})
