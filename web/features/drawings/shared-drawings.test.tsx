// Charts of one page that show the same prices share their drawings.
import { cleanup } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import type { Drawing } from '#shared/drawings/drawing.ts'
import { findInstrument, type Instrument } from '#shared/instruments/instruments.ts'
import { eventually } from '#web/testing/eventually.ts'
import { server } from '#web/testing/fake-server.ts'
import type { Page } from '#web/testing/page.ts'
import { renderUi } from '#web/testing/render.tsx'
import { session } from '#web/lib/browser-storage.ts'
import { ChartDrawings, type ChartDrawingsProps } from './chart-drawings.tsx'
import { stillSurface } from './testing/still-surface.ts'

const saved: Drawing = { id: 'a', kind: 'horizontal', anchors: [{ timeMs: 0, price: 100 }], colour: 'up', width: 1, text: '' }

function instrumentOf(slug: string): Instrument {
  const instrument = findInstrument(slug)
  if (instrument === undefined) throw new Error(`There is no instrument ${slug}`)
  return instrument
}

const ink = () => {
  throw new Error('jsdom paints nothing')
}

interface Charts {
  readonly page: Page
  readonly left: HTMLElement
  readonly right: HTMLElement
}

function Chart({ name, ...chart }: Pick<ChartDrawingsProps, 'surface' | 'instrument'> & { readonly name: string }) {
  const [rail, setRail] = useState<HTMLElement | null>(null)
  return (
    <section aria-label={name}>
      <div ref={setRail} />
      <ChartDrawings {...chart} adjuster={undefined} ink={ink} rail={rail} />
    </section>
  )
}

function Charts({ slugs }: { readonly slugs: readonly string[] }) {
  const [count, setCount] = useState(2)
  const [charts] = useState(() => slugs.map((slug) => ({ instrument: instrumentOf(slug), surface: stillSurface() })))
  return (
    <>
      {charts.slice(0, count).map((chart, at) => (
        <Chart key={at} name={`Chart ${at + 1}`} {...chart} />
      ))}
      <button type="button" onClick={() => setCount(3)}>
        One more
      </button>
    </>
  )
}

async function openCharts(...slugs: readonly string[]): Promise<Charts> {
  const page = renderUi(<Charts slugs={slugs} />, { as: 'premium' })
  return { page, left: await page.find('region', 'Chart 1'), right: await page.find('region', 'Chart 2') }
}

/** Also found behind an open dialog. */
function buttonOf(chart: HTMLElement, name: string): HTMLElement {
  const button = chart.querySelector<HTMLElement>(`button[aria-label="${name}"]`)
  if (button === null) throw new Error(`There is no button ${name}`)
  return button
}

const hasDrawings = (chart: HTMLElement) => buttonOf(chart, 'Remove all drawings').getAttribute('aria-disabled') === 'false'

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))

function answerDrawings(drawings: readonly Drawing[]) {
  server.on(api.workspace.drawings, () => ({ success: true, data: { version: 1, drawings: [...drawings] } }))
  server.on(api.workspace.saveDrawings, ({ body }) => ({ success: true, data: { version: body.version + 1 } }))
}

test('drawings of other prices are left alone', async () => {
  answerDrawings([])
  server.on(api.workspace.drawings, ({ params: { slug } }) => ({
    success: true,
    data: { version: 1, drawings: slug === 'nifty' ? [saved] : [] },
  }))
  const { left, right } = await openCharts('nifty', 'sensex')
  await eventually(() => expect(hasDrawings(left)).toBe(true))
  buttonOf(left, 'Horizontal line').click()
  await eventually(() => expect(server.calls(api.workspace.saveDrawings)).toHaveLength(1))
  expect(server.calls(api.workspace.saveDrawings)[0]?.params.slug).toBe('nifty')
  expect(hasDrawings(right)).toBe(false)
})

test('a line drawn or removed in one chart is in the other within a frame, before the server has it', async () => {
  answerDrawings([saved])
  const release = server.hold(api.workspace.saveDrawings)
  const { page, left, right } = await openCharts('nifty', 'nifty50')
  await eventually(() => expect([hasDrawings(left), hasDrawings(right)]).toEqual([true, true]))
  buttonOf(left, 'Remove all drawings').click()
  const confirm = (await page.find('alertdialog')).querySelector<HTMLElement>('button:last-of-type')
  confirm?.click()
  await nextFrame()
  expect([hasDrawings(left), hasDrawings(right)]).toEqual([false, false])
  buttonOf(right, 'Horizontal line').click()
  await nextFrame()
  expect([hasDrawings(left), hasDrawings(right)]).toEqual([true, true])
  release()
  await eventually(() => expect(server.calls(api.workspace.saveDrawings).at(-1)?.body.drawings).toMatchObject([{ kind: 'horizontal' }]))
})

test('a chart opened later has the drawings at once, and then what another device has saved', async () => {
  answerDrawings([saved])
  const { page, left } = await openCharts('nifty', 'sensex', 'nifty')
  await eventually(() => expect(hasDrawings(left)).toBe(true))
  const release = server.hold(api.workspace.drawings)
  server.on(api.workspace.drawings, () => ({ success: true, data: { version: 2, drawings: [] } }))
  await page.press('One more')
  const third = await page.find('region', 'Chart 3')
  await eventually(() => expect(hasDrawings(third)).toBe(true))
  release()
  await eventually(() => expect([hasDrawings(left), hasDrawings(third)]).toEqual([false, false]))
})

test('the next user of the page sees none of them, also not those that are being saved', async () => {
  answerDrawings([])
  const release = server.hold(api.workspace.saveDrawings)
  const { left } = await openCharts('nifty', 'sensex')
  await eventually(() => expect(server.calls(api.workspace.drawings)).toHaveLength(2))
  await eventually(() => {
    buttonOf(left, 'Horizontal line').click()
    expect(hasDrawings(left)).toBe(true)
  })
  const key = 'drawings.premium@example.in.nifty'
  expect(localStorage.getItem(key)).not.toBeNull()
  cleanup()
  session.clear()
  localStorage.removeItem(key)
  release()
  const { left: next } = await openCharts('nifty', 'sensex')
  await eventually(() => expect(server.calls(api.workspace.drawings)).toHaveLength(4))
  expect(hasDrawings(next)).toBe(false)
  expect(localStorage.getItem(key)).toBeNull()
})
